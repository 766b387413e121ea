import { firstValueFrom, fromEvent, merge } from 'rxjs';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/**
 * Does the work with a signal that is aborted at the deadline, or together with `signal`; the reason is `deadline` or `signal`. It may be
 * aborted from the start. The time-out of a request begins only when the request is sent, so this also bounds its wait in a queue.
 */
export async function withDeadline<Value>(
  clock: Clock,
  deadlineAt: Instant,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const cut = new AbortController();
  const abort = (): void => cut.abort('signal');
  if (signal.aborted) abort();
  else if (clock.now() >= deadlineAt) cut.abort('deadline');
  const deadline = clock.wakeAt(deadlineAt).subscribe(() => cut.abort('deadline'));
  signal.addEventListener('abort', abort);
  try {
    return await work(cut.signal);
  } finally {
    deadline.unsubscribe();
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves at the instant, or as soon as the signal is aborted. The signal must not be aborted yet. */
export async function sleepUntil(clock: Clock, at: Instant, signal: AbortSignal): Promise<void> {
  await firstValueFrom(merge(clock.wakeAt(at), fromEvent(signal, 'abort')));
}

const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls the listener when the signal is aborted, unless the returned function was called before. It is never called for a signal that is
 * aborted already. A signal compares each new listener with all that it has. Where a thousand requests wait for one signal, that is
 * half a million comparisons; a set needs none.
 */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  const known = listening.get(signal) ?? listen(signal);
  known.add(listener);
  return () => known.delete(listener);
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  listening.set(signal, all);
  signal.addEventListener('abort', () => {
    for (const listener of all) listener();
  });
  return all;
}
