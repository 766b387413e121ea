import type { PlainOf } from '../../machines/pure-machine.ts';
import type { Language } from '../../machines/pure-machine.ts';

/** What one turn of a machine was decided by. */
export type Explanation<Spoken extends Language = Language> = Readonly<{
  /** In the order in which they were asked. */
  guards: readonly AskedGuard[];
  /** The transitions that were taken, in order; one without `to` stays where it is. */
  taken: readonly TakenTransition[];
  before: PlainOf<Spoken> | undefined;
  after: PlainOf<Spoken> | undefined;
  changes: readonly ContextChange[];
}>;

/** A transition of the chart: the `index`-th that `state` has for `event`. `event` is empty for one that is taken always. */
export type TransitionName = Readonly<{
  /** With its region: `shield.leaseFailed`; `shield` for what a region listens for in all its states; empty for the machine itself. */
  state: string;
  event: string;
  index: number;
}>;

export type TakenTransition = TransitionName & Readonly<{ to?: string }>;

/** A guard that was asked, with what it saw. */
export type AskedGuard = TransitionName &
  Readonly<{
    /** Its name in `src/machines`. */
    guard: string;
    answer: boolean;
    /** What it asks, as a question: `Is the shoot cut off?` */
    question: string;
    /** The rules of docs/specification.md that it carries out: `5.3`. */
    rules: readonly string[];
    saw: readonly Fact[];
    /** Where the transition leads, if it is taken. */
    to?: string;
  }>;

/** `expired leases`: `3 of 5`. */
export type Fact = Readonly<{ name: string; value: string }>;

/** What a turn changed of what the machine remembers. */
export type ContextChange = Readonly<{ path: string; before: unknown; after: unknown }>;
