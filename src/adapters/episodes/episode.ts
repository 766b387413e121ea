import type { Instant, Millis } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { TurnName } from '../turns/turn-name.ts';

/** What happened, by its consequence. */
export type EpisodeKind = 'outage' | 'recovery' | 'pause' | 'refusal' | 'bug' | 'oddLeases' | 'unreachable';

/** `bad`: nodes may have been harmed, or something is wrong with us. `grave`: something is cut off, down, or not guarded. `notable`: worth knowing. */
export type EpisodeWeight = 'bad' | 'grave' | 'notable';

/** One thing that happened to one machine: an outage with its way down and up is one, not forty turns. Plain JSON. */
export type Episode<Kind extends string = EpisodeKind, Machine extends string = keyof Languages> = Readonly<{
  kind: Kind;
  machine: Machine;
  subject: string;
  /** Stays the same while it goes on. */
  id: string;
  beganAt: Instant;
  /** Null while it goes on. */
  endedAt: Instant | null;
  weight: EpisodeWeight;
  /**
   * What happened, and because of what. Each time of day in it is UTC (`12:00:44.1`), and that of its beginning, its end or one of its stages, so
   * that a page can put the time of another zone in its place.
   */
  sentence: string;
  /** More of it, a line each: nodes, replicas, what else went wrong. */
  lines: readonly string[];
  /** In order: cut off, decided, protected, healed, back. */
  stages: readonly Stage<Machine>[];
  /** The turn that decided it, or that it began with. */
  turn: TurnName<Machine>;
  /** For programs, as `replay --json` tells it: instants as text, lengths in milliseconds. */
  data: Readonly<Record<string, unknown>>;
}>;

export type Stage<Machine extends string = keyof Languages> = Readonly<{
  name: string;
  at: Instant;
  /** Since the stage before it; null for the first one. */
  after: Millis | null;
  turn: TurnName<Machine> | null;
}>;
