import { NEVER, Observable, switchMap } from 'rxjs';
import type { KubeClient, RequestSeen } from '../../adapters/kube-client.ts';
import { seedWatch, type SharedSeedWatch } from '../../adapters/seed-watch/seed-watch.ts';
import type { StreamNotice } from '../../adapters/seed-watch/stream-notice.ts';
import type { CredentialSource } from '../../adapters/seed/credentials.ts';
import { kubeMachineApi } from '../../adapters/seed/machine-api.ts';
import { RateLimit, type RateFlags } from '../../adapters/seed/rate-limit.ts';
import { kubeScaler } from '../../adapters/seed/scaler.ts';
import { SeedConnection } from '../../adapters/seed/seed-connection.ts';
import { UndiciKubeClient, type ThrottledBy } from '../../adapters/seed/undici-kube-client.ts';
import { unconditional, type WritePermission } from '../../adapters/seed/write-permission.ts';
import { kubeShootApi } from '../../adapters/shoot/kube-shoot-api.ts';
import type { ProberConfig } from '../../domain/prober-config.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import { guardShoots } from '../../effects/guard-shoots.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { Turn } from '../../effects/turn.ts';

export type ProberParts = Readonly<{
  clock: Clock;
  chance: Chance;
  config: ProberConfig;
  credentials: CredentialSource;
  rate: RateFlags;
  userAgent: string;
  /** Whether this process may write, and when that ends; without it, it always may. */
  permission?: WritePermission;
  /** For counters and the log; none of them decides anything. */
  told: Readonly<{
    seedRequest: (seen: RequestSeen) => void;
    seedThrottled: (by: ThrottledBy) => void;
    shootRequest: (seen: Readonly<{ code: string }>) => void;
    stream: (notice: StreamNotice) => void;
    credentials: (line: string) => void;
  }>;
}>;

export type Prober = Readonly<{
  client: KubeClient;
  seed: SharedSeedWatch;
  /**
   * Guards the shoots while `leads$` says so, and only follows them otherwise. Subscribing starts everything, leaving
   * ends it; what waits for the rate limit then is never sent (SPEC 1.4).
   */
  guard(leads$: Observable<boolean>): Observable<Turn>;
}>;

/** Puts the prober together from its parts, on the wire; nothing runs yet. */
export function assembleProber({ clock, chance, config, told, ...parts }: ProberParts): Prober {
  const client = new UndiciKubeClient({
    connection: new SeedConnection(parts.credentials, clock, told.credentials),
    limit: new RateLimit(clock, parts.rate),
    clock,
    userAgent: parts.userAgent,
    permission: parts.permission ?? unconditional,
    onRequest: told.seedRequest,
    onThrottled: told.seedThrottled,
  });
  const seed = seedWatch({ client, clock, chance, config, notice: told.stream });
  const ports = {
    clock,
    shoots: kubeShootApi({ kubeconfigOf: seed.kubeconfigOf, clock, onRequest: told.shootRequest }),
    machines: kubeMachineApi(client, clock),
    scaler: kubeScaler({ client, clock }),
  };

  return {
    client,
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
