import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/**
 * Aborts at a deadline, or with a signal: a request's own time-out begins when it is sent, and what has a deadline must not wait
 * beyond it in the queue either. Has to be let go.
 */
export function cutAt(
  clock: Clock,
  deadlineAt: Instant,
  signal: AbortSignal,
): Readonly<{ signal: AbortSignal; letGo: () => void }> {
  const cut = new AbortController();
  const abort = (): void => cut.abort();
  const deadline = clock.wakeAt(deadlineAt).subscribe(abort);
  signal.addEventListener('abort', abort);
  if (signal.aborted || clock.now() >= deadlineAt) abort();
  return {
    signal: cut.signal,
    letGo: () => {
      deadline.unsubscribe();
      signal.removeEventListener('abort', abort);
    },
  };
}

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
