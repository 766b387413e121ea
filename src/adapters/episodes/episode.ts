import type { Instant, Millis } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { TurnName } from '../turns/turn-name.ts';

/** What happened, by its consequence. */
export type EpisodeKind = 'outage' | 'recovery' | 'pause' | 'refusal' | 'bug' | 'oddLeases' | 'unreachable';

/** `bad`: nodes may have been harmed, or something is wrong with us. `grave`: something is cut off or down. `notable`: worth knowing. */
export type EpisodeWeight = 'bad' | 'grave' | 'notable';

/** One thing that happened to one machine: an outage with its way down and up is one, not forty turns. Plain JSON. */
export type Episode = Readonly<{
  kind: EpisodeKind;
  machine: keyof Languages;
  subject: string;
  /** Stays the same while it goes on. */
  id: string;
  beganAt: Instant;
  /** Null while it goes on. */
  endedAt: Instant | null;
  weight: EpisodeWeight;
  /** One sentence that says what happened, and because of what. */
  sentence: string;
  /** More of it, a line each; the first one names the machine. */
  lines: readonly string[];
  /** Its stages, in order: cut off, decided, protected, healed, back. */
  stages: readonly Stage[];
  /** The turn that decided it, or that it began with. */
  turn: TurnName;
  /** As `replay --json` tells it. */
  data: Readonly<Record<string, unknown>>;
}>;

export type Stage = Readonly<{
  name: string;
  at: Instant;
  /** Since the stage before it; null for the first one. */
  after: Millis | null;
  turn: TurnName | null;
}>;
