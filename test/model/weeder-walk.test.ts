import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stranded, type Graph } from '../support/explore.ts';
import { remainingOf } from '@dwd/testing/weeder-laws.ts';
import type { WeederAlphabet, WeederMove, WeederPlace } from '../support/weeder-walk-moves.ts';
import { walkWeeder } from '../support/weeder-walk.ts';

const two = ['a', 'b'];

// Each walk has its own trouble, since all trouble together would be too much to walk. `places` is how many places it found when it
// was written, or a little less: a walk that finds far fewer has lost its way.
const walks: Record<string, WeederAlphabet & { places: number }> = {
  'deletions fail': { pods: two, failing: true, places: 500 },
  'a pod is followed by one of its name': { pods: ['a'], replaced: true, failing: true, places: 400 },
  'time passes unseen, and answers come late': { pods: ['a'], late: true, failing: true, places: 80 },
  'as many as are allowed are being deleted': { pods: two, crowd: 10, steady: true, failing: true, places: 600 },
  'as many as are allowed are being deleted, and the service goes': { pods: ['a'], crowd: 10, places: 160 },
};

describe.each(Object.keys(walks))('where %s', (name) => {
  const { places: found, ...alphabet } = walks[name]!;
  let graph: Graph<WeederPlace, WeederMove> = { places: new Map(), edges: [] };
  beforeAll(() => {
    graph = walkWeeder(alphabet, 30_000);
  });
  // One graph at a time takes enough memory.
  afterAll(() => {
    graph = { places: new Map(), edges: [] };
  });

  test('7.2 7.3 7.4 S8 9.1 no step breaks a law, and no wake is forgotten or in vain', () => {
    const broken = graph.edges.filter((edge) => edge.broken.length > 0);
    expect(broken.slice(0, 3).map(({ from, move, broken: laws }) => ({ laws, from, move: move.type }))).toEqual([]);
  });

  test('7.3 from every place in a window, every dependant that crash-loops is deleted before its end', () => {
    const lost = stranded(
      graph,
      ({ to, move }) => move.when === 'calm' && graph.places.get(to)?.snapshot.value === 'recovering',
      isWeeded,
    );
    expect(lost.filter((key) => isWithinWindow(graph.places.get(key)!)).slice(0, 3)).toEqual([]);
  });

  test('7.2 from every place, calm leads to where the window is over and nobody is watched', () => {
    const lost = stranded(graph, ({ move: { when } }) => when === 'calm', isSettled);
    expect(lost.filter((key) => !graph.places.get(key)!.gone).slice(0, 3)).toEqual([]);
  });

  test('9.1 the walk has been everywhere, by every way', () => {
    expect(graph.places.size).toBeGreaterThan(found);
    const valueAt = (key: string) => graph.places.get(key)!.snapshot.value;
    const ways = new Set(graph.edges.map(({ from, to }) => `${valueAt(from)} → ${valueAt(to)}`));
    expect([...ways].filter((way) => !isStay(way)).toSorted()).toEqual(
      alphabet.steady
        ? ['recovering → settled']
        : [
            'down → recovering',
            // The service is gone there.
            'recovering → down',
            'recovering → relapsed',
            'recovering → settled',
            'relapsed → down',
            'relapsed → recovering',
            'settled → down',
          ],
    );
  });
});

function isStay(way: string): boolean {
  const [from, to] = way.split(' → ');
  return from === to;
}

function isWithinWindow({ snapshot: { value }, account: { now, endsAt } }: WeederPlace): boolean {
  return value === 'recovering' && endsAt !== null && now < endsAt;
}

function isWeeded(place: WeederPlace): boolean {
  // A crowd only has to be in the way.
  return isWithinWindow(place) && remainingOf(place.account).every((pod) => pod.name.startsWith('crowd'));
}

function isSettled({ snapshot: { value }, account: { watch } }: WeederPlace): boolean {
  return value === 'settled' && watch === null;
}
