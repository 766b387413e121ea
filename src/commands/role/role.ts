import type { Observable } from 'rxjs';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-trouble.ts';
import type { ConfigReading } from '../../domain/config/config-remark.ts';
import type { Millis } from '../../domain/time.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { Turn } from '../../effects/turn.ts';

export type RoleName = 'prober' | 'weeder';

export type RoleParts<Config> = Readonly<{
  clock: Clock;
  chance: Chance;
  config: Config;
  /** May write only while this process leads. */
  client: KubeClient;
  /** For counters and the log; none of them decides anything. */
  told: Readonly<{
    shootRequest: (seen: Readonly<{ code: string }>) => void;
    stream: (notice: StreamNotice) => void;
  }>;
}>;

export type Assembled<OwnTurn extends Turn> = Readonly<{
  /** Whether the first lists of the seed are in (SPEC 9.3): at once, then each change. */
  synced$: Observable<boolean>;
  /**
   * Acts while `leads$` says so, and only follows the seed otherwise. Subscribing starts everything, leaving ends it; what
   * waits for the rate limit then is never sent (SPEC 1.4).
   */
  turns(leads$: Observable<boolean>): Observable<OwnTurn>;
}>;

/** One of the two things that this program does on a seed; all else is the same for both (SPEC 1.2, 8, 9). */
export type Role<Config> = Readonly<{
  name: RoleName;
  readConfig(written: unknown): ConfigReading<Config>;
  /** Puts it together from its parts, on the wire; nothing runs yet. */
  assemble(parts: RoleParts<Config>): Assembled<Turn>;
  /** Longer than it can be without a turn while it owes one. */
  longestSilence(config: Config): Millis;
}>;
