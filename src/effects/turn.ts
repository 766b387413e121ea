import type { Instant } from '../domain/time.ts';
import type { Languages } from '../machines/kinds.ts';
import type { Language, PlainOf } from '../machines/pure-machine.ts';

/** The machine was started: its first turn, and again after each bug of ours (ARCHITECTURE, Failures). */
export type Started<Input> = Readonly<{ type: 'started'; at: Instant; input: Input }>;

/**
 * The machine is no more: what it was for is gone, or a bug ended it. Taken by the runtime, not by the machine.
 * `during` is the event that the bug met, without which no history would show it.
 */
export type Ended<Event> = Readonly<{
  type: 'ended';
  at: Instant;
  because: 'gone' | 'bug';
  error?: string;
  during?: Event;
}>;

/** One event taken whole (SPEC 9.1): what came in, where the machine went, what it commanded and noted. */
export type TurnOf<Spoken extends Language> = Readonly<{
  /** Of which kind the machine is, and which one of them. */
  kind: Spoken['Kind'];
  subject: Spoken['Subject'];
  /** Grows by one with every turn of the process, over all machines. */
  seq: number;
  at: Instant;
  event: Spoken['Event'] | Started<Spoken['Input']> | Ended<Spoken['Event'] | Started<Spoken['Input']>>;
  /** Undefined before the first turn. */
  from: Spoken['State'] | undefined;
  to: Spoken['State'];
  commands: readonly Spoken['Command'][];
  notes: readonly Spoken['Note'][];
  /** Before and after the event; undefined where the machine had not come to its first turn. */
  before: PlainOf<Spoken> | undefined;
  after: PlainOf<Spoken> | undefined;
}>;

/** By kind, the turns of its machines. */
export type Turns = { [Kind in keyof Languages]: TurnOf<Languages[Kind]> };

export type ShootTurn = Turns['shoot'];
export type WeederTurn = Turns['weeder'];
export type Turn = Turns[keyof Turns];
