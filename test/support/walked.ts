import { afterAll, beforeAll } from 'vitest';
import type { Graph } from './explore.ts';
import type { Alphabet } from './walk-moves.ts';
import type { Move, Place } from './walk-place.ts';
import { walk } from './walk.ts';

/** Walks before the tests of this suite, and forgets the graph behind them: one at a time takes enough memory. */
export function walked(alphabet: Alphabet): () => Graph<Place, Move> {
  let graph: Graph<Place, Move> = { places: new Map(), edges: [] };
  beforeAll(() => {
    graph = walk(alphabet, 400_000);
  });
  afterAll(() => {
    graph = { places: new Map(), edges: [] };
  });
  return () => graph;
}

/** The first steps that break a law. */
export function brokenSteps({ edges }: Graph<Place, Move>) {
  const broken = edges.filter((edge) => edge.broken.length > 0);
  return broken.slice(0, 3).map(({ from, move, broken: laws }) => ({ laws, from, move: move.type }));
}
