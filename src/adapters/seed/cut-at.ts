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
