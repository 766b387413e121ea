import type { Place } from './walk-place.ts';

/** L1: everything runs, no mark is left, and nothing is under way. */
export function isWell({ snapshot: { value, context } }: Place): boolean {
  if (value.shield !== 'probing' || value.probe !== 'resting' || context.flow !== null) return false;
  return Object.values(context.known).every(({ view, writing, reading }) => {
    if (view?.found !== true || view.marked || writing !== null || reading !== null) return false;
    return view.ignored || (view.replicas > 0 && view.readyReplicas > 0);
  });
}

/** L2: everything that is there, and is not ignored, is down. */
export function isShielded({ snapshot: { value, context } }: Place): boolean {
  if (value.shield !== 'scaledDown') return false;
  return Object.values(context.known).every(({ view }) => {
    if (view === null || !view.found) return view !== null;
    return view.ignored || (view.replicas === 0 && view.readyReplicas === 0);
  });
}
