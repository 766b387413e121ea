import { writesAtOnce } from '../../src/domain/prober/dependant.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootCommands, ShootEvent } from '../../src/machines/shoot-language.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { explore, type Graph } from './explore.ts';
import { present } from '@dwd/testing/views.ts';
import { auditShoot, firstShootAccount } from '@dwd/testing/shoot-laws.ts';
import { movesFrom, type Alphabet } from './walk-moves.ts';
import { describePlace, type Move, type WalkPlace, type Play } from './walk-place.ts';
import { afterAll, beforeAll } from 'vitest';

/**
 * Walks over every place that the machine can reach with these moves, and checks the laws at each step. It fails beyond
 * `limit` steps, since a number that grows in the key would make it endless.
 */
function walk(alphabet: Alphabet, limit: number): Graph<WalkPlace, Move> {
  const { config } = alphabet;
  return explore(
    {
      start: start(config),
      movesFrom: (place) => movesFrom(place, alphabet),
      step: stepper(alphabet),
      describe: (place) => describePlace(place, config),
    },
    limit,
  );
}

/** With one replica one write raises it (6.5); a kind that needs two writes is in a walk of its own. */
const one = present({ replicas: 1, readyReplicas: 1 });

/** Everything runs, and its watch, if there is one, shows it. */
function start(config: ProberConfig): WalkPlace {
  let outcome = pureMachines.shoot.first({ shoot: 'shoot--walk--one', config, followed: false, chance: 1 });
  for (const { key, ref } of config.dependants) {
    outcome = pureMachines.shoot.take(outcome.snapshot, { type: 'dependant.changed', at: 0, key, view: one });
    if (writesAtOnce(ref))
      outcome = pureMachines.shoot.take(outcome.snapshot, { type: 'dependant.watched', at: 0, key, live: true });
  }
  outcome = pureMachines.shoot.take(outcome.snapshot, { type: 'cluster.watched', at: 0, live: true });
  return { ...firstShootAccount, snapshot: outcome.snapshot, now: 0, takenBack: [], broken: [] };
}

/** Plays a move to its end, and collects the laws that it broke on the way. */
function stepper(alphabet: Alphabet): (place: WalkPlace, move: Move) => WalkPlace {
  // Moves from one place come one after the other, and most begin with the same play.
  let last: Readonly<{ place: WalkPlace; play: Play; after: WalkPlace }> | undefined;
  const playOn = (at: WalkPlace, play: Play) => {
    const event = play(at);
    return event === undefined ? at : turn(at, event, alphabet);
  };
  return (place, { play: [first, ...others] }) => {
    if (first === undefined) return place;
    if (last?.place !== place || last.play !== first)
      last = { place, play: first, after: playOn({ ...place, broken: [] }, first) };
    return others.reduce(playOn, last.after);
  };
}

function turn(place: WalkPlace, event: ShootEvent, alphabet: Alphabet): WalkPlace {
  const { config, crowded = false } = alphabet;
  const outcome = pureMachines.shoot.take(place.snapshot, event);
  const { commands } = outcome;
  const { value, context } = outcome.snapshot;
  // Chance draws the same each time, and is no part of a place. A return waits, or it does not: how often the shoot came and went before is none, either. With
  // two paths, of which the shield knows nothing, none waits: the walks over leases are enough.
  const descents =
    context.paths === undefined && context.descents !== null
      ? { ...context.descents, count: Math.min(2, context.descents.count) }
      : null;
  const snapshot =
    context.chance === 1 && context.descents?.count === descents?.count
      ? outcome.snapshot
      : pureMachines.shoot.restore({ value, context: { ...context, chance: 1, descents } });
  const judged = auditShoot(place, { before: place.snapshot, event, after: snapshot, ...outcome }, config);
  const writing = new Set(Object.values(snapshot.context.known).map((one) => one.writing));
  const withdrawn = commands.flatMap(({ type, params }) => (type === 'withdraw' ? [params.number] : []));
  const takenBack = [...new Set([...place.takenBack, ...withdrawn])].filter((number) => writing.has(number));
  const broken = [...place.broken, ...judged.broken];
  const after = { ...judged.account, snapshot, now: Math.max(place.now, event.at), takenBack, broken };
  // The timetable of the seed answers at once.
  const asked = commands.find(({ type }) => type === 'reserveProbe')?.params as
    | ShootCommands['reserveProbe']
    | undefined;
  if (asked === undefined) return after;
  const probeAt = crowded ? null : asked.wanted;
  return turn(after, { type: 'probe.reserved', at: event.at, asked, probeAt }, alphabet);
}

/** Walks before the tests of this suite, and forgets the graph behind them: one at a time takes enough memory. */
export function walked(alphabet: Alphabet): () => Graph<WalkPlace, Move> {
  let graph: Graph<WalkPlace, Move> = { places: new Map(), edges: [] };
  beforeAll(() => {
    graph = walk(alphabet, 400_000);
  });
  afterAll(() => {
    graph = { places: new Map(), edges: [] };
  });
  return () => graph;
}

/** The first steps that break a law. */
export function brokenSteps({ edges }: Graph<WalkPlace, Move>) {
  const broken = edges.filter((edge) => edge.broken.length > 0);
  return broken.slice(0, 3).map(({ from, move, broken: laws }) => ({ laws, from, move: move.type }));
}

/** L1: everything runs, no mark is left, and nothing is under way. */
export function isWell({ snapshot: { value, context } }: WalkPlace): boolean {
  if (value.shield !== 'probing' || value.probe !== 'resting' || context.flow !== null) return false;
  return Object.values(context.known).every(({ view, writing, reading }) => {
    if (view?.found !== true || view.marked || writing !== null || reading !== null) return false;
    return view.ignored || (view.replicas > 0 && view.readyReplicas > 0);
  });
}

/** L2: everything that is there, and is not ignored, is down. */
export function isShielded({ snapshot: { value, context } }: WalkPlace): boolean {
  if (value.shield !== 'scaledDown') return false;
  return Object.values(context.known).every(({ view }) => {
    if (view === null || !view.found) return view !== null;
    return view.ignored || (view.replicas === 0 && view.readyReplicas === 0);
  });
}
