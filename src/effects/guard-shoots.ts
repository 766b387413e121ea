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
import type { ProberConfig } from '../domain/prober-config.ts';
import type { ShootNamespace } from '../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { SeedEvent, ShootEvent, ShootInput, ShootState } from '../machines/shoot-language.ts';
import { firstTurn, stateOf, takeTurn, type Outcome, type ShootSnapshot } from '../machines/shoot-turn.ts';
import type { Chance, SeedWatch } from './ports.ts';
import { runMachine, type Taken } from './run-machine.ts';
import { shootEffects, type ShootPorts } from './shoot-effects.ts';
import type { Ended, Turn } from './turn.ts';
import { whilePresent } from './while-present.ts';

/** A shoot whose machine fails again and again is started afresh after a pause that doubles between these. */
const shortestPause: Millis = 1_000;
const longestPause: Millis = 60_000;
/** A machine that ran for so long has recovered; the next bug begins with the shortest pause again. */
const healthyAfter: Millis = 10 * 60_000;

export type Guarding = ShootPorts &
  Readonly<{
    config: ProberConfig;
    chance: Chance;
    seed: SeedWatch;
    /** Shoots that this process followed as a standby before it became leader (SPEC 2, initialDelay). */
    followed: ReadonlySet<ShootNamespace>;
  }>;

/** What a life leaves behind for the account of the bug that ended it. */
type Memory = { event: ShootEvent | undefined; outcome: Outcome | undefined };

type ShootTaken = Taken<ShootEvent, ShootSnapshot, Outcome>;

/**
 * Runs one machine for each shoot of the seed, from its arrival to its departure, and tells every turn. A bug of
 * ours ends the machine it happened to, which is started afresh; the others do not notice (ARCHITECTURE, Failures).
 */
export function guardShoots(guarding: Guarding): Observable<Turn> {
  return defer(() => {
    let seq = 0;
    const numbered = (turn: Omit<Turn, 'seq'>): Turn => ({ seq: ++seq, ...turn });
    return whilePresent(guarding.seed.shoots$, (shoot) => guardShoot(guarding, shoot, numbered));
  });
}

type Numbered = (turn: Omit<Turn, 'seq'>) => Turn;

function guardShoot(guarding: Guarding, shoot: ShootNamespace, numbered: Numbered): Observable<Turn> {
  const { clock } = guarding;
  let bugs = 0;

  const life = (followed: boolean): Observable<Turn> =>
    defer(() => {
      const startedAt = clock.now();
      const memory: Memory = { event: undefined, outcome: undefined };
      // Deferred, so that what throws before there is a stream ends this shoot's life only.
      return defer(() => oneLife(guarding, shoot, followed, numbered, memory)).pipe(
        catchError((error: unknown) => {
          bugs = clock.now() - startedAt >= healthyAfter ? 1 : bugs + 1;
          const pause = Math.min(longestPause, shortestPause * 2 ** Math.min(bugs - 1, 20));
          const during = memory.event === undefined ? {} : { during: memory.event };
          const why = { because: 'bug' as const, error: describe(error), ...during };
          const ended = numbered(endTurn(shoot, clock.now(), memory.outcome, why));
          const gone = (at: Instant) => numbered(endTurn(shoot, at, memory.outcome, { because: 'gone' }));
          const next$ = race(
            clock.wakeAt(clock.now() + pause).pipe(map(() => life(true))),
            departure$(guarding.seed, shoot).pipe(map(({ at }) => of(gone(at)))),
          );
          return concat(of(ended), next$.pipe(mergeAll()));
        }),
      );
    });
  return life(guarding.followed.has(shoot));
}

/** A shoot may go while nobody runs it; what is kept of it has to go with it all the same (SPEC 9.2). */
function departure$(seed: SeedWatch, shoot: ShootNamespace): Observable<SeedEvent> {
  // What threw once may throw again.
  return defer(() => seed.events$(shoot)).pipe(
    filter(({ type }) => type === 'cluster.gone'),
    take(1),
    catchError(() => NEVER),
  );
}

/** From start to departure, or to the first bug, which is thrown. */
function oneLife(
  guarding: Guarding,
  shoot: ShootNamespace,
  followed: boolean,
  numbered: Numbered,
  memory: Memory,
): Observable<Turn> {
  const { clock, chance, config, seed } = guarding;
  const input: ShootInput = { shoot, config, followed, chance: Math.floor(chance() * 2 ** 32) };
  const startedAt = clock.now();
  const effects = shootEffects(shoot, guarding);

  const carryOut = (command: Outcome['commands'][number]): Observable<ShootEvent> => {
    // The table has one effect for each command; the pairing is lost only on the compiler.
    const effect = effects[command.type] as (params: unknown) => Observable<ShootEvent>;
    return effect(command.params);
  };
  const machine = {
    first: () => firstTurn(input),
    take: (before: ShootSnapshot, event: ShootEvent) => {
      memory.event = event;
      return takeTurn(before, event);
    },
  };

  return runMachine(machine, seed.events$(shoot), carryOut).pipe(
    concatMap((taken: ShootTaken): Turn[] => {
      memory.outcome = taken.result;
      const turn = numbered(toTurn(shoot, taken, { type: 'started', at: startedAt, input }));
      if (taken.event?.type !== 'cluster.gone') return [turn];
      return [turn, numbered(endTurn(shoot, taken.event.at, taken.result, { because: 'gone' }))];
    }),
    takeWhile(({ event }) => event.type !== 'ended', true),
  );
}

function toTurn(
  shoot: ShootNamespace,
  { event, before, result }: ShootTaken,
  started: Turn['event'],
): Omit<Turn, 'seq'> {
  const taken = event ?? started;
  return {
    at: taken.at,
    shoot,
    event: taken,
    from: before === undefined ? undefined : stateOf(before),
    to: result.state,
    commands: result.commands,
    notes: result.notes,
    before: before === undefined ? undefined : plain(before),
    after: plain(result.snapshot),
  };
}

function endTurn(
  shoot: ShootNamespace,
  at: Instant,
  last: Outcome | undefined,
  why: Pick<Ended, 'because' | 'error' | 'during'>,
): Omit<Turn, 'seq'> {
  const state: ShootState = last?.state ?? 'idle';
  const after = last === undefined ? { value: null, context: null } : plain(last.snapshot);
  return {
    at,
    shoot,
    event: { type: 'ended', at, ...why },
    from: state,
    to: state,
    commands: [],
    notes: [],
    before: after,
    after,
  };
}

function plain({ value, context }: ShootSnapshot): Turn['after'] {
  return { value, context };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
