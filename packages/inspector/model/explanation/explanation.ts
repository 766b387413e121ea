import { externalWords, failureWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { lengthWords, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { PathVerdict } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Language, PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import type { Paths, PathState, ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import type { LeaseAge } from '../judged-leases.ts';
import type { Rule } from './rules.ts';
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

/** `leases`: `3 of 5 expired`. `at`: an instant that stands before the value, so that each reader sees it by his own clock. */
export type Fact = Readonly<{ name: string; value: string; at?: Instant }>;

/** One lease of a verdict. `because`: why it does not count; empty where it does. */
export type JudgedLease = LeaseAge & Readonly<{ counts: boolean; because: string }>;

/** What a turn changed of what the machine remembers. `path`: `probe.nextAt`, `seen.leases[node-a].renewedAt`. */
export type ContextChange = Readonly<{ path: string; before: ContextValue; after: ContextValue }>;

/** In words, and an instant as such. */
export type ContextValue = Readonly<{ text: string; at?: Instant }>;

/** How the turns of one kind of machine are explained. */
export type Explainer<Spoken extends Language> = Readonly<{
  trace(before: PlainOf<Spoken>, event: Spoken['Event']): Trace<Spoken>;
  /** Whether a transition of this state of the chart moves what is shown as the machine's state. */
  decides(state: string): boolean;
  /** What each guard of the machine asks, by its name. */
  guards: Readonly<Record<string, GuardWords<unknown, unknown>>>;
  /** What was asked of a thing of its own, such as a pod, beside what the chart asks; `moved`: all of it was answered with yes. Absent where there is none. */
  conditions?(event: Spoken['Event'], before: PlainOf<Spoken>, trace: Trace<Spoken>): readonly Condition[];
  decision(event: Spoken['Event'], trace: Trace<Spoken>): readonly Fact[];
  leases(event: Spoken['Event'], trace: Trace<Spoken>): Readonly<{ leases: readonly JudgedLease[]; leftOut: number }>;
}>;

/** Asked of something that no transition of the chart depends on. `decides`: it belongs to what was commanded. */
export type Condition = Omit<AskedGuard, 'to'> & Readonly<{ decides: boolean }>;

/** What a guard was given. */
export type GuardArgs<Context, Event> = Readonly<{ context: Context; event: Event }>;

/** What one guard asks, in words: its question, its rules, and the values that it answers by. */
export type GuardWords<Context, Event> = Pick<AskedGuard, 'question'> &
  Readonly<{ rules: readonly Rule[]; saw(args: GuardArgs<Context, Event>): readonly Fact[] }>;

/** Each of `saw` tells some of the values. */
export function asks<Context, Event>(
  question: string,
  rules: readonly Rule[],
  ...saw: readonly ((args: GuardArgs<Context, Event>) => readonly Fact[])[]
): GuardWords<Context, Event> {
  return { question, rules, saw: (args) => saw.flatMap((one) => one(args)) };
}

export function fact(name: string, value: string): Fact {
  return { name, value };
}

export function yesOrNo(name: string, value: boolean): Fact {
  return { name, value: value ? 'yes' : 'no' };
}

/** An instant, and how far it is from the turn's: `12:00:44.1, 0.3 s ago`. */
export function instantFact(name: string, at: Instant | null | undefined, now: Instant): Fact {
  return at === null || at === undefined ? fact(name, 'none') : { name, value: distanceWords(at - now), at };
}

function distanceWords(millis: number): string {
  if (millis === 0) return 'now';
  const size = Math.abs(millis);
  // What a decision takes is a few hundredths of a second.
  const length = size < 1_000 ? lengthWords(size) : seconds(size);
  return millis < 0 ? `${length} ago` : `in ${length}`;
}

/** `60 %`, `66.7 %`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1_000) / 10} %`;
}

/** Enough to see what they have in common. */
const mostNamed = 5;

/** A shoot's owner chooses the names of nodes. */
const longestName = 63;

/** `node-a, node-b and 3 more`; `none`. */
export function namesWords(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).map(shortened).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

export function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

/** What a path told, after its name: `external path: failed`. */
export const pathStateWords: Readonly<Record<PathState, string>> = {
  notAsked: 'not asked',
  asked: 'no answer yet',
  answered: 'answered',
  failed: 'failed',
  untold: 'told nothing',
};

/** What each path has told of the probe. */
export function pathStateFacts({ asked }: Paths): readonly Fact[] {
  return (['internal', 'external'] as const).map((path) => fact(`${path} path`, pathStateWords[asked[path]]));
}

/** `, timeout: no answer within 5 s`; empty for a plain answer. */
export function reasonWords(failure: ProbeFailure | undefined): string {
  return failure === undefined ? '' : `, ${failureWords.cause({ ...failure, detail: shortened(failure.detail) })}`;
}

/** What each path told that led to a verdict. */
export function judgedFacts({ paths }: ShootContext, { kind: verdict, external }: PathVerdict): readonly Fact[] {
  const reason = paths?.reason ?? null;
  return [
    fact('internal path', 'answered'),
    fact('external path', `${externalWords.needed({ verdict, external })}${reason === null ? '' : ` (${reason})`}`),
  ];
}
