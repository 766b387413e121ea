import type { Observable, Subscription } from 'rxjs';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import type { PaintedLine } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import type { TimelineEntry } from './screen.ts';

/** Something that happened, as it is shown: by a line of JSON, by entries of the timeline, by both or by neither. */
export type StoryEvent = Readonly<{
  at: Instant;
  json?: Readonly<Record<string, unknown> & { kind: string }> | undefined;
  entries?: readonly TimelineEntry[];
}>;

/** How far a story is, and what was seen of each shoot. Whoever sees something changes it in place. */
export type StoryState<Phase, Row> = {
  readonly startedAt: Instant;
  /** The number of the outage, from 1, and when its part of the story began. */
  readonly outage: number;
  readonly beganAt: Instant;
  phase: Phase;
  phaseAt: Instant;
  readonly rows: ReadonlyMap<ShootNamespace, Row>;
  /** How late this machine was at worst. */
  latest: Millis;
  /** What the story waited for and did not see. */
  readonly missed: string[];
};

/** The state at the start of the calm, or `before` another outage. It knows of each row what is kept, and nothing else of what happened before. */
export function begunState<Phase, Row extends Readonly<{ shoot: ShootNamespace }>>(
  at: Instant,
  rows: readonly Row[],
  phase: Phase,
  before?: StoryState<Phase, Row>,
): StoryState<Phase, Row> {
  return {
    startedAt: before?.startedAt ?? at,
    outage: (before?.outage ?? 0) + 1,
    beganAt: at,
    phase,
    phaseAt: at,
    rows: new Map(rows.map((row) => [row.shoot, row])),
    latest: 0,
    missed: [],
  };
}

/** The story waited for something that never came, and goes on. */
export function missedEvent({ missed }: Pick<StoryState<unknown, unknown>, 'missed'>, at: Instant, what: string) {
  missed.push(what);
  return { at, json: { kind: 'missed', what }, entries: [{ at, text: what, tone: 'bad' }] } satisfies StoryEvent;
}

/** A message that is in no turn of the role. */
export function remarkEvent(at: Instant, text: string): StoryEvent {
  return { at, json: { kind: 'remark', text }, entries: [{ at, text, tone: 'dim' }] };
}

/** All requests to the seed in a length of time, from anybody. */
export type Quiet = Readonly<{ seedRequests: number; length: Millis }>;

/** What a phase begins with. */
export type Entry<Phase> = Readonly<{
  phase: Phase;
  at: Instant;
  /** What the seed was asked since the goal of the phase before was reached. */
  quiet?: Quiet | undefined;
  /** Ends the story with an error. */
  fail: (error: unknown) => void;
}>;

/** An outage that is over, summed up. */
export type Summed = Readonly<{ ok: boolean; json: object; lines: readonly PaintedLine[] }>;

/** One story: what is seen of it, what happens in it, and in which order. */
export type Story<Phase, Row, OwnTurn> = Readonly<{
  clock: Clock;
  seed: EmbeddedSeed;
  state: () => StoryState<Phase, Row>;
  /** Another outage is about to begin. */
  another: (at: Instant) => void;
  part: (phase: Phase) => StoryPart<Phase, Row> | undefined;
  /** Lets a phase begin. */
  enter: (entry: Entry<Phase>, see: (event: StoryEvent) => void) => void;
  /** What is seen at each tick; `late` is by how much this machine missed its instant. */
  look: (now: Instant, late: Millis) => readonly StoryEvent[];
  /** What happens on the seed. */
  changes$: Observable<StoryEvent>;
  turn: (turn: OwnTurn) => StoryEvent;
  outage: Phase;
  healing: Phase;
  /** Why the outage cannot be healed by hand now; undefined if it can. */
  cannotHeal: () => string | undefined;
  /** Whether no other outage may begin because of a row, and what is said of it. */
  isBusy: (row: Row) => boolean;
  busy: string;
  /** How much faster than real time the clock runs now. */
  speed: () => number;
}>;

/** The phase that comes next, and what the story waited for in vain. */
export type StoryStep<Phase> = Readonly<{ next: Phase; missed: readonly string[] }>;

/** One phase of a story: what it waits for, and how long it takes. */
export type StoryPart<Phase, Row> = Readonly<{
  next: Phase;
  /** The phase goes on while this is true of any row. `inVain` says what is missing if it never ends. */
  awaits: (row: Row) => boolean;
  inVain: string;
  /** The shortest time that it takes, and how long it goes on after its goal is reached. */
  least: Millis;
  pause: Millis;
  /** It takes no longer than this if all goes well. */
  deadline: Millis;
}>;

export type StepTimes = Readonly<{
  now: Instant;
  /** When the phase's goal was first reached. */
  reachedAt: Instant | undefined;
  /** Added to every deadline, because some things take the machine's time and not the clock's. */
  slack: Millis;
}>;

/** A busy machine gets a little more time than the story needs. */
const patience = 1.1;

/** Whether the part no longer waits for anything. */
export function isGoalReached<Phase, Row>(
  part: StoryPart<Phase, Row> | undefined,
  { rows }: Pick<StoryState<Phase, Row>, 'rows'>,
): boolean {
  return part !== undefined && ![...rows.values()].some(part.awaits);
}

/** The step that is due, or undefined if none is. `part` is the present one, or undefined if the story is over. */
export function dueStep<Phase, Row extends Readonly<{ shoot: string }>>(
  part: StoryPart<Phase, Row> | undefined,
  { phaseAt, rows }: Pick<StoryState<Phase, Row>, 'phaseAt' | 'rows'>,
  { now, reachedAt, slack }: StepTimes,
): StoryStep<Phase> | undefined {
  if (part === undefined) return undefined;
  const { next, least, pause, deadline, awaits, inVain } = part;
  const since = now - phaseAt;
  if (reachedAt !== undefined && since >= least && now - reachedAt >= pause) return { next, missed: [] };
  if (since < patience * deadline + slack) return undefined;
  return { next, missed: [...rows.values()].filter(awaits).map(({ shoot }) => `${shoot} ${inVain}`) };
}

/**
 * Calls `tick` again and again, `every()` ms apart, and says how late each call is. A missed tick is not repeated.
 * Returns a function that stops it.
 */
export function ticks(clock: Clock, every: () => Millis, tick: (now: Instant, late: Millis) => void): () => void {
  let waiting: Subscription | undefined;
  const wait = (at: Instant): void => {
    waiting = clock.wakeAt(at).subscribe((now) => {
      wait(Math.max(at, now - every()) + every());
      tick(now, now - at);
    });
  };
  wait(clock.now() + every());
  return () => waiting?.unsubscribe();
}
