import type { ShootNamespace } from '../domain/shoot-namespace.ts';
import type { Instant } from '../domain/time.ts';
import type { Note, ShootCommand, ShootEvent, ShootInput, ShootState } from '../machines/shoot-language.ts';

/** The machine was started: its first turn, and again after each bug of ours (ARCHITECTURE, Failures). */
export type Started = Readonly<{ type: 'started'; at: Instant; input: ShootInput }>;

/**
 * The machine is no more: the shoot is gone, or a bug ended it. Taken by the runtime, not by the machine.
 * `during` is the event that the bug met, without which no history would show it.
 */
export type Ended = Readonly<{
  type: 'ended';
  at: Instant;
  because: 'gone' | 'bug';
  error?: string;
  during?: ShootEvent | Started;
}>;

/** A machine as plain data: `machine.resolveState()` brings it back. */
export type PlainSnapshot = Readonly<{ value: unknown; context: unknown }>;

/** One event taken whole (SPEC 9.1): what came in, where the machine went, what it commanded and noted. */
export type Turn = Readonly<{
  /** Grows by one with every turn of the process, over all shoots. */
  seq: number;
  at: Instant;
  shoot: ShootNamespace;
  event: ShootEvent | Started | Ended;
  /** Undefined before the first turn. */
  from: ShootState | undefined;
  to: ShootState;
  commands: readonly Exclude<ShootCommand, { type: 'note' }>[];
  notes: readonly Note[];
  /** Before and after the event; plain data once `JSON.stringify` has passed over it. */
  before: PlainSnapshot | undefined;
  after: PlainSnapshot;
}>;
