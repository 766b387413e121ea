import { fromTransition, type SnapshotFrom } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';

/** `broken` names the laws that the step broke. */
export type Edge<Move> = Readonly<{ from: string; to: string; move: Move; broken: readonly string[] }>;

export type Graph<Place, Move> = Readonly<{
  places: ReadonlyMap<string, Place>;
  edges: readonly Edge<Move>[];
}>;

/** A machine in its world: where it starts, what can happen next, what comes of it, and which places are the same. */
export type World<Place, Move> = Readonly<{
  start: Place;
  movesFrom(place: Place): readonly Move[];
  step(place: Place, move: Move): Place;
  describe(place: Place): string;
}>;

/**
 * Walks over every place that can be reached, each as the walk first reached it. It fails beyond `limit` steps, since a number
 * that grows in the description would make it endless.
 */
export function explore<Place extends Readonly<{ broken: readonly string[] }>, Move extends Readonly<{ type: string }>>(
  { start, movesFrom, step, describe }: World<Place, Move>,
  limit: number,
): Graph<Place, Move> {
  const logic = fromTransition(step, start);
  type Snapshot = SnapshotFrom<typeof logic>;
  const keys = new Map<Place, string>();
  const keyOf = (place: Place) => {
    const key = keys.get(place) ?? describe(place);
    keys.set(place, key);
    return key;
  };
  const map = getAdjacencyMap<Snapshot, Move, undefined>(logic, {
    events: ({ context }: Snapshot) => movesFrom(context),
    serializeState: ({ context }) => keyOf(context),
    serializeEvent: ({ type }) => type,
    limit,
  });
  const entries = Object.entries(
    map as Record<string, { state: Snapshot; transitions: Record<string, { event: Move; state: Snapshot }> }>,
  );
  return {
    places: new Map(entries.map(([key, { state }]) => [key, state.context])),
    edges: entries.flatMap(([from, { transitions }]) =>
      Object.values(transitions).map(({ event, state: { context } }) => ({
        from,
        to: keyOf(context),
        move: event,
        broken: context.broken,
      })),
    ),
  };
}

/** The places from which no path of such steps leads to a goal. */
export function stranded<Place, Move>(
  { places, edges }: Graph<Place, Move>,
  goes: (edge: Edge<Move>) => boolean,
  isGoal: (place: Place) => boolean,
): readonly string[] {
  const into = new Map<string, string[]>();
  for (const edge of edges) {
    if (!goes(edge)) continue;
    const from = into.get(edge.to) ?? [];
    into.set(edge.to, from);
    from.push(edge.from);
  }
  const reached = new Set<string>();
  const queue = [...places].filter(([, place]) => isGoal(place)).map(([key]) => key);
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    queue.push(...(into.get(key) ?? []));
  }
  return [...places.keys()].filter((key) => !reached.has(key));
}
