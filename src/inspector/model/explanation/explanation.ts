import type { Instant, Millis } from '../../../domain/time.ts';
import type { Language, PlainOf } from '../../../machines/pure-machine.ts';
import type { GuardWords } from './facts.ts';
import type { Trace } from './traced-machine.ts';

/** What one turn of a machine was decided by, as the machines of this program decide it. */
export type Explanation<Spoken extends Language = Language> = Readonly<{
  /** In the order in which they were asked. */
  guards: readonly AskedGuard[];
  /** Those of `guards`, by their places, whose answer moved the machine to another state; empty where it stays. */
  decidedBy: readonly number[];
  /** The transitions that were taken, in order; one without `to` stays where it is. */
  taken: readonly TakenTransition[];
  before: PlainOf<Spoken> | undefined;
  after: PlainOf<Spoken> | undefined;
  changes: readonly ContextChange[];
  /** So many more changes there are: of long lists, and beyond the limit of all. */
  changesLeftOut: number;
  /** What the turn judged that no guard shows. */
  decision: readonly Fact[];
  /** The leases that its verdict was made of, the longest silent first; empty for a turn without one. */
  leases: readonly JudgedLease[];
  leasesLeftOut: number;
  /** Why there are no guards, or fewer than there were: a sentence. Absent where nothing is missing. */
  missing?: string;
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

/** `expired`: `3 of 5 candidates`. `at`: an instant that stands before the value, so that each reader sees it by his own clock. */
export type Fact = Readonly<{ name: string; value: string; at?: Instant }>;

/** One lease of a verdict. `silent`: for how long it was not renewed when it was asked for; null where its renewTime cannot be read. */
export type JudgedLease = Readonly<{
  node: string;
  silent: Millis | null;
  expired: boolean;
  counts: boolean;
  /** Why it does not count; empty where it does. */
  because: string;
}>;

/** What a turn changed of what the machine remembers. `path`: `probe.nextAt`, `seen.leases[node-a].renewedAt`. */
export type ContextChange = Readonly<{ path: string; before: ContextValue; after: ContextValue }>;

/** In words, and an instant as such. */
export type ContextValue = Readonly<{ text: string; at?: Instant }>;

/** How the turns of one kind of machine are explained. */
export type Explainer<Spoken extends Language> = Readonly<{
  trace(before: PlainOf<Spoken>, event: Spoken['Event']): Trace<Spoken>;
  /** Whether a transition of this state of the chart moves what is shown as the machine's state. */
  decides(state: string): boolean;
  words(guard: string): GuardWords<unknown, unknown>;
  decision(event: Spoken['Event'], trace: Trace<Spoken>): readonly Fact[];
  leases(event: Spoken['Event'], trace: Trace<Spoken>): Readonly<{ leases: readonly JudgedLease[]; leftOut: number }>;
}>;
