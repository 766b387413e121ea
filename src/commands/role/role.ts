import type { Observable } from 'rxjs';
import type { Connect } from '../../adapters/shoot/shoot-connection.ts';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { SeedHistory } from '../../adapters/reflector/seed-history.ts';
import type { StraysFound } from '../../adapters/seed/strays.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import type { Millis } from '../../domain/time.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { RoleName } from '../../domain/names.ts';
import type { Turn } from '../../effects/turn.ts';

export type RoleParts<Config> = Readonly<{
  clock: Clock;
  /** A clock that is never set; `clock` itself unless given. */
  steady?: Pick<Clock, 'now'>;
  chance: Chance;
  config: Config;
  /** May write only while this process leads. */
  client: KubeClient;
  hooks: RoleHooks;
  /** Of the seed, shared with the election; one of its own unless given. */
  history?: SeedHistory | undefined;
  /** How a shoot is reached; over TLS unless given. */
  connect?: Connect | undefined;
}>;

/** For counters and the log; none of them decides anything. */
export type RoleHooks = Readonly<{
  onShootRequest: (seen: Readonly<{ code: string }>) => void;
  onStreamNotice: (notice: StreamNotice) => void;
  /** What a leading prober found that carries the mark, and is not in its configuration. */
  onStrays?: (found: StraysFound) => void;
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
export type Role<Config, OwnTurn extends Turn = Turn> = Readonly<{
  name: RoleName;
  readConfig(written: unknown): ConfigReading<Config>;
  /** Assembles the role from its parts. Nothing runs yet. */
  assemble(parts: RoleParts<Config>): Assembled<OwnTurn>;
  /** The names of its streams of the seed, as notices and metrics have them. */
  streams(config: Config): readonly string[];
  /** It always has a turn within this time if one is due. */
  longestSilence(config: Config): Millis;
}>;
