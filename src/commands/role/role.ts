import { NEVER, Observable, switchMap } from 'rxjs';
import { systemChance } from '../../adapters/clock/chance.ts';
import { scaledClock, systemClock } from '../../adapters/clock/wall-clock.ts';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-trouble.ts';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import type { Millis } from '../../domain/time.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { Turn } from '../../effects/turn.ts';

export type RoleName = 'prober' | 'weeder';

/** Where the Leases of the elections are, unless a flag says otherwise. */
export const usualLeaseNamespace = 'garden';

/** The Lease by which replicas of a role elect their leader, as Gardener grants it (SPEC 8). */
export function leaseNameOf(role: RoleName): string {
  return `dwd-${role}-leader-election`;
}

export type RoleParts<Config> = Readonly<{
  clock: Clock;
  chance: Chance;
  config: Config;
  /** May write only while this process leads. */
  client: KubeClient;
  hooks: RoleHooks;
}>;

/** For counters and the log; none of them decides anything. */
export type RoleHooks = Readonly<{
  onShootRequest: (seen: Readonly<{ code: string }>) => void;
  onStreamNotice: (notice: StreamNotice) => void;
}>;

export type Assembled<OwnTurn extends Turn> = Readonly<{
  /** Whether the first lists of the seed are in (SPEC 9.3): at once, then each change. */
  synced$: Observable<boolean>;
  /**
   * Acts while `leads$` says so, and otherwise only follows the seed. Subscribing starts everything, and unsubscribing ends
   * it. Requests that wait for the rate limit then are never sent (SPEC 1.4).
   */
  turns(leads$: Observable<boolean>): Observable<OwnTurn>;
}>;

/** One of the two roles that this program has on a seed. All else is the same for both (SPEC 1.2, 8, 9). */
export type Role<Config> = Readonly<{
  name: RoleName;
  readConfig(written: unknown): ConfigReading<Config>;
  /** Assembles the role from its parts. Nothing runs yet. */
  assemble(parts: RoleParts<Config>): Assembled<Turn>;
  /** The names of its streams of the seed, as notices and metrics have them. */
  streams(config: Config): readonly string[];
  /** It always has a turn within this time if one is due. */
  longestSilence(config: Config): Millis;
}>;

/**
 * Acts while `leads$` says so. A standby only follows `present$`, which keeps the watches open, so that it knows the seed
 * when it takes over. `act` gets the latest value, undefined before the first.
 */
export function whileLeading<Present, OwnTurn>(
  leads$: Observable<boolean>,
  present$: Observable<Present>,
  act: (followed: Present | undefined) => Observable<OwnTurn>,
): Observable<OwnTurn> {
  return new Observable((turns) => {
    let present: Present | undefined;
    const following = present$.subscribe((now) => (present = now));
    const acting = leads$.pipe(switchMap((leads) => (leads ? act(present) : NEVER))).subscribe(turns);
    return () => {
      acting.unsubscribe();
      following.unsubscribe();
    };
  });
}

/** What a role gets from the machine on which it runs. A test that runs a role in its own process passes others. */
export type Surroundings = Readonly<{
  /** The wall clock, which leases and certificates use. */
  clock: Clock;
  /** A clock that nobody sets forward or back. With one that is set, a lead could seem to last. */
  steady: Clock;
  chance: Chance;
  /** Takes each line of the log. Absent: the standard output. */
  write?: (line: string) => void;
}>;

export const machine: Surroundings = { clock: systemClock, steady: scaledClock(1), chance: systemChance };
