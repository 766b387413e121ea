import type { ShootNamespace } from '../domain/shoot-namespace.ts';
import type { Instant } from '../domain/time.ts';
import type { ServiceKey } from '../domain/weeder/service-ref.ts';
import type { Note, ShootCommand, ShootEvent, ShootInput, ShootState } from '../machines/shoot-language.ts';
import type { WeederCommand, WeederEvent, WeederInput, WeederNote, WeederState } from '../machines/weeder-language.ts';

/** What one kind of machine hears and says; `Subject` is what names one of them. */
export type Language = Readonly<{
  Subject: object;
  Input: unknown;
  Event: Readonly<{ type: string; at: Instant }>;
  State: string;
  Command: Readonly<{ type: string; params: unknown }>;
  Note: unknown;
}>;

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

/** A machine as plain data: `machine.resolveState()` brings it back. */
export type PlainSnapshot = Readonly<{ value: unknown; context: unknown }>;

/** What one turn of a pure machine comes to: where it took the machine, what it commands, and what it has to say. */
export type OutcomeOf<Spoken extends Language, Snapshot> = Readonly<{
  snapshot: Snapshot;
  state: Spoken['State'];
  commands: readonly Spoken['Command'][];
  notes: readonly Spoken['Note'][];
}>;

/** One event taken whole (SPEC 9.1): what came in, where the machine went, what it commanded and noted. */
export type TurnOf<Spoken extends Language> = Spoken['Subject'] &
  Readonly<{
    /** Grows by one with every turn of the process, over all machines. */
    seq: number;
    at: Instant;
    event: Spoken['Event'] | Started<Spoken['Input']> | Ended<Spoken['Event'] | Started<Spoken['Input']>>;
    /** Undefined before the first turn. */
    from: Spoken['State'] | undefined;
    to: Spoken['State'];
    commands: readonly Spoken['Command'][];
    notes: readonly Spoken['Note'][];
    /** Before and after the event; plain data once `JSON.stringify` has passed over it. */
    before: PlainSnapshot | undefined;
    after: PlainSnapshot;
  }>;

export type ShootLanguage = Readonly<{
  Subject: Readonly<{ shoot: ShootNamespace }>;
  Input: ShootInput;
  Event: ShootEvent;
  State: ShootState;
  Command: Exclude<ShootCommand, { type: 'note' }>;
  Note: Note;
}>;

export type WeederLanguage = Readonly<{
  Subject: Readonly<{ service: ServiceKey }>;
  Input: WeederInput;
  Event: WeederEvent;
  State: WeederState;
  Command: Exclude<WeederCommand, { type: 'note' }>;
  Note: WeederNote;
}>;

export type ShootTurn = TurnOf<ShootLanguage>;
export type WeederTurn = TurnOf<WeederLanguage>;

/** Which kind it is, its subject tells: `'shoot' in turn`. */
export type Turn = ShootTurn | WeederTurn;
