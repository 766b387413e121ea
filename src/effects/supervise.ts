import {
  NEVER,
  type Observable,
  catchError,
  concat,
  concatMap,
  defer,
  filter,
  map,
  mergeAll,
  of,
  race,
  take,
  takeWhile,
} from 'rxjs';
import type { Instant, Millis } from '../domain/time.ts';
import type { Clock } from './ports.ts';
import { runMachine, type Taken } from './run-machine.ts';
import type { Ended, Language, PlainSnapshot, Started, TurnOf } from './turn.ts';
import { whilePresent } from './while-present.ts';

/** A machine that fails again and again is started afresh after a pause that doubles between these. */
const shortestPause: Millis = 1_000;
const longestPause: Millis = 60_000;
/** A machine that ran for so long has recovered; the next bug begins with the shortest pause again. */
const healthyAfter: Millis = 10 * 60_000;

/** What one turn of a pure machine comes to. */
type OutcomeOf<Spoken extends Language, Snapshot> = Readonly<{
  snapshot: Snapshot;
  state: Spoken['State'];
  commands: readonly Spoken['Command'][];
  notes: readonly Spoken['Note'][];
}>;

/** One kind of machine, and the world that it lives in. */
export type Supervision<Spoken extends Language, Key, Snapshot extends PlainSnapshot> = Readonly<{
  clock: Clock;
  /** Those for which there is to be a machine, as they come and go. */
  present$: Observable<ReadonlySet<Key>>;
  events$(key: Key): Observable<Spoken['Event']>;
  /** Of the event that says that the machine's subject is no more. */
  departure: Spoken['Event']['type'];
  subject(key: Key): Spoken['Subject'];
  /** `again`: it was started before, and a bug ended it. */
  input(key: Key, again: boolean): Spoken['Input'];
  /** Where a machine is said to be that threw before its first turn. */
  nowhere: Spoken['State'];
  first(input: Spoken['Input']): OutcomeOf<Spoken, Snapshot>;
  take(before: Snapshot, event: Spoken['Event']): OutcomeOf<Spoken, Snapshot>;
  stateOf(snapshot: Snapshot): Spoken['State'];
  /** Called once for each life of a machine. */
  effects(key: Key): (command: Spoken['Command']) => Observable<Spoken['Event']>;
}>;

/**
 * Runs one machine for each key, from its arrival to its departure, and tells every turn. A bug of ours ends the
 * machine it happened to, which is started afresh; the others do not notice (ARCHITECTURE, Failures).
 */
export function supervise<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  supervision: Supervision<Spoken, Key, Snapshot>,
): Observable<TurnOf<Spoken>> {
  return defer(() => {
    let seq = 0;
    const numbered: Numbered<Spoken> = (turn) => ({ seq: ++seq, ...turn });
    return whilePresent(supervision.present$, (key) => superviseOne(supervision, key, numbered));
  });
}

type Unnumbered<Spoken extends Language> = Spoken['Subject'] & Omit<TurnOf<Language>, 'seq'>;
type Numbered<Spoken extends Language> = (turn: Unnumbered<Spoken>) => TurnOf<Spoken>;

/** What a life leaves behind for the account of the bug that ended it. */
type Memory<Spoken extends Language, Snapshot> = {
  event: Spoken['Event'] | undefined;
  outcome: OutcomeOf<Spoken, Snapshot> | undefined;
};

function superviseOne<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  supervision: Supervision<Spoken, Key, Snapshot>,
  key: Key,
  numbered: Numbered<Spoken>,
): Observable<TurnOf<Spoken>> {
  const { clock } = supervision;
  let bugs = 0;

  const life = (again: boolean): Observable<TurnOf<Spoken>> =>
    defer(() => {
      const startedAt = clock.now();
      const memory: Memory<Spoken, Snapshot> = { event: undefined, outcome: undefined };
      const ended = (at: Instant, why: EndedWhy<Spoken>) =>
        numbered(endTurn(supervision, key, at, memory.outcome, why));
      // Deferred, so that what throws before there is a stream ends this machine's life only.
      return defer(() => oneLife(supervision, key, again, numbered, memory)).pipe(
        catchError((error: unknown) => {
          bugs = clock.now() - startedAt >= healthyAfter ? 1 : bugs + 1;
          const pause = Math.min(longestPause, shortestPause * 2 ** Math.min(bugs - 1, 20));
          const during = memory.event === undefined ? {} : { during: memory.event };
          const next$ = race(
            clock.wakeAt(clock.now() + pause).pipe(map(() => life(true))),
            departure$(supervision, key).pipe(map(({ at }) => of(ended(at, { because: 'gone' })))),
          );
          return concat(
            of(ended(clock.now(), { because: 'bug', error: describe(error), ...during })),
            next$.pipe(mergeAll()),
          );
        }),
      );
    });
  return life(false);
}

/** A subject may go while nobody runs its machine; what is kept of it has to go with it all the same (SPEC 9.2). */
function departure$<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  { events$, departure }: Supervision<Spoken, Key, Snapshot>,
  key: Key,
): Observable<Spoken['Event']> {
  // What threw once may throw again.
  return defer(() => events$(key)).pipe(
    filter(({ type }) => type === departure),
    take(1),
    catchError(() => NEVER),
  );
}

/** From start to departure, or to the first bug, which is thrown. */
function oneLife<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  supervision: Supervision<Spoken, Key, Snapshot>,
  key: Key,
  again: boolean,
  numbered: Numbered<Spoken>,
  memory: Memory<Spoken, Snapshot>,
): Observable<TurnOf<Spoken>> {
  const { clock, departure } = supervision;
  const input = supervision.input(key, again);
  const started: Started<Spoken['Input']> = { type: 'started', at: clock.now(), input };
  const machine = {
    first: () => supervision.first(input),
    take: (before: Snapshot, event: Spoken['Event']) => {
      memory.event = event;
      return supervision.take(before, event);
    },
  };

  return runMachine<Spoken['Event'], Snapshot, Spoken['Command'], OutcomeOf<Spoken, Snapshot>>(
    machine,
    supervision.events$(key),
    supervision.effects(key),
  ).pipe(
    concatMap((taken): TurnOf<Spoken>[] => {
      memory.outcome = taken.result;
      const turn = numbered(toTurn(supervision, key, taken, started));
      if (taken.event?.type !== departure) return [turn];
      return [turn, numbered(endTurn(supervision, key, taken.event.at, taken.result, { because: 'gone' }))];
    }),
    takeWhile(({ event }) => event.type !== 'ended', true),
  );
}

function toTurn<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  { subject, stateOf }: Supervision<Spoken, Key, Snapshot>,
  key: Key,
  { event, before, result }: Taken<Spoken['Event'], Snapshot, OutcomeOf<Spoken, Snapshot>>,
  started: Started<Spoken['Input']>,
): Unnumbered<Spoken> {
  const taken = event ?? started;
  return {
    at: taken.at,
    ...subject(key),
    event: taken,
    from: before === undefined ? undefined : stateOf(before),
    to: result.state,
    commands: result.commands,
    notes: result.notes,
    before: before === undefined ? undefined : plain(before),
    after: plain(result.snapshot),
  };
}

type EndedWhy<Spoken extends Language> = Pick<Ended<Spoken['Event']>, 'because' | 'error' | 'during'>;

function endTurn<Spoken extends Language, Key, Snapshot extends PlainSnapshot>(
  { subject, nowhere }: Supervision<Spoken, Key, Snapshot>,
  key: Key,
  at: Instant,
  last: OutcomeOf<Spoken, Snapshot> | undefined,
  why: EndedWhy<Spoken>,
): Unnumbered<Spoken> {
  const state = last?.state ?? nowhere;
  const after = last === undefined ? { value: null, context: null } : plain(last.snapshot);
  return {
    at,
    ...subject(key),
    event: { type: 'ended', at, ...why },
    from: state,
    to: state,
    commands: [],
    notes: [],
    before: after,
    after,
  };
}

function plain({ value, context }: PlainSnapshot): PlainSnapshot {
  return { value, context };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
