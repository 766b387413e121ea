import { NEVER, Observable, switchMap } from 'rxjs';
import type { KubeClient } from '../../adapters/kube-client.ts';
import { seedWatch, type SharedSeedWatch } from '../../adapters/seed-watch/seed-watch.ts';
import type { StreamNotice } from '../../adapters/seed-watch/stream-notice.ts';
import { kubeMachineApi } from '../../adapters/seed/machine-api.ts';
import { kubeScaler } from '../../adapters/seed/scaler.ts';
import { kubeShootApi } from '../../adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from '../../domain/prober-config.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import { guardShoots } from '../../effects/guard-shoots.ts';
import type { Chance, Clock, Scaler } from '../../effects/ports.ts';
import type { ShootTurn } from '../../effects/turn.ts';

export type ProberParts = Readonly<{
  clock: Clock;
  chance: Chance;
  config: ProberConfig;
  /** May write only while this process leads. */
  client: KubeClient;
  /** For counters and the log; none of them decides anything. */
  told: Readonly<{
    shootRequest: (seen: Readonly<{ code: string }>) => void;
    stream: (notice: StreamNotice) => void;
  }>;
}>;

export type Prober = Readonly<{
  seed: SharedSeedWatch;
  /**
   * Guards the shoots while `leads$` says so, and only follows them otherwise. Subscribing starts everything, leaving
   * ends it; what waits for the rate limit then is never sent (SPEC 1.4).
   */
  guard(leads$: Observable<boolean>): Observable<ShootTurn>;
}>;

/** Puts the prober together from its parts, on the wire; nothing runs yet. */
export function assembleProber({ clock, chance, config, client, told }: ProberParts): Prober {
  const seed = seedWatch({ client, clock, chance, config, notice: told.stream });
  const shoots = kubeShootApi({
    kubeconfigOf: (shoot) => seed.kubeconfigOf(shoot),
    clock,
    onRequest: told.shootRequest,
  });
  const scaler = watchedScaler(kubeScaler({ client, clock }), seed);
  const ports = { clock, shoots, machines: kubeMachineApi(client, clock), scaler };

  return {
    seed,
    guard: (leads$) =>
      new Observable((turns) => {
        // A standby keeps the watches open, and knows which shoots it need not wait for once it leads (SPEC 2, initialDelay).
        let present: ReadonlySet<ShootNamespace> = new Set();
        const following = seed.shoots$.subscribe((shoots) => (present = shoots));
        const guarding = leads$
          .pipe(
            switchMap((leads) => (leads ? guardShoots({ ...ports, chance, config, seed, followed: present }) : NEVER)),
          )
          .subscribe(turns);
        return () => {
          guarding.unsubscribe();
          following.unsubscribe();
        };
      }),
  };
}

/** What was written is told to the watches, since whoever waits for replicas relies on them (SPEC 6.6). */
function watchedScaler(scaler: Scaler, seed: Pick<SharedSeedWatch, 'expect'>): Scaler {
  return {
    ...scaler,
    write: async (shoot, ref, seen, change, options) => {
      const answer = await scaler.write(shoot, ref, seen, change, options);
      if (answer.outcome === 'written' && answer.view.resourceVersion !== undefined)
        seed.expect(ref, answer.view.resourceVersion);
      return answer;
    },
  };
}
