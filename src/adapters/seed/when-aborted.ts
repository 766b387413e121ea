const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `tell` when the signal aborts, unless the function that it gives was called before. Never for one that is aborted
 * already. A signal compares each new listener with all it has: where a thousand requests wait for one signal, that is
 * half a million comparisons, which here are none.
 */
export function whenAborted(signal: AbortSignal, tell: () => void): () => void {
  const known = listening.get(signal) ?? listen(signal);
  known.add(tell);
  return () => known.delete(tell);
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  listening.set(signal, all);
  signal.addEventListener('abort', () => {
    for (const tell of all) tell();
  });
  return all;
}
