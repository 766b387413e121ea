import type { Instant, Millis } from '../../domain/time.ts';
import type { Turn } from '../../effects/turn.ts';
import type { KubeClient } from '../kube-client.ts';
import { KubeError } from '../kube-error.ts';
import { eventObject } from './event-object.ts';
import type { Occurrence } from './occurrence.ts';
import { occurrences } from './occurrences.ts';

/** Posted one after the other; what does not fit into the queue is dropped, since history has the journal. */
const mostWaiting = 256;
/** The same thing about the same object is told once in this time. */
const repeatPause: Millis = 10 * 60_000;
/** Who may not post need not ask at every outage; but somebody may grant it meanwhile. */
const forbiddenPause: Millis = 60 * 60_000;
/** Where a 429 does not say how long to wait. */
const throttledPause: Millis = 10_000;
/** Remembered to tell repetitions. */
const mostRemembered = 2_000;

/** `queue`: too many at once. `forbidden`, `failed`: the seed said so. `repeated`: the same was just posted. */
type EventDropReason = 'queue' | 'forbidden' | 'failed' | 'repeated';

export type KubeEventsOptions = Readonly<{
  client: KubeClient;
  clock: Readonly<{ now(): Instant }>;
  /** Who tells it: `dependency-watchdog-prober`. */
  component: string;
  /** Said once, when events are found to be forbidden. */
  say: (message: string) => void;
  onDropped: (reason: EventDropReason) => void;
}>;

/**
 * Tells of scaled resources and weeded pods by Kubernetes events in their namespaces, where that is permitted (SPEC 9.5).
 * They ride in the ordinary bucket, one at a time: neither a scale-down nor a deletion waits for them. Never throws; whatever fails is counted.
 */
export function kubeEvents(options: KubeEventsOptions): Readonly<{ observe(turn: Turn): void; close(): void }> {
  const { client, clock, component, say, onDropped } = options;
  const occurred = occurrences();
  const closing = new AbortController();
  const told = new Map<string, Instant>();
  let waiting: Readonly<{ occurrence: Occurrence; at: Instant }>[] = [];
  let posting = false;
  let quietUntil: Instant = -Infinity;
  let forbidden = false;
  let count = 0;

  function reasonToDrop(occurrence: Occurrence, now: Instant): EventDropReason | undefined {
    if (now < quietUntil && forbidden) return 'forbidden';
    if (waiting.length >= mostWaiting) return 'queue';
    return isRepeated(occurrence, now) ? 'repeated' : undefined;
  }

  function isRepeated({ namespace, ref, uid = '', type, reason, message }: Occurrence, now: Instant): boolean {
    // A failure's words differ from one try to the next, and it stays the same failure.
    const key = [namespace, ref.apiVersion, ref.kind, ref.name, uid, reason, type === 'Warning' ? '' : message].join(
      ' ',
    );
    const last = told.get(key);
    if (last !== undefined && now - last < repeatPause) return true;
    told.delete(key);
    told.set(key, now);
    const oldest = told.keys().next();
    if (told.size > mostRemembered && oldest.done !== true) told.delete(oldest.value);
    return false;
  }

  async function post(): Promise<void> {
    if (posting) return;
    posting = true;
    // What a pause holds back goes with the next turn after it, and says when it really was.
    while (clock.now() >= quietUntil && !closing.signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) break;
      await postOne(next.occurrence, next.at);
    }
    posting = false;
  }

  async function postOne(occurrence: Occurrence, at: Instant): Promise<void> {
    count += 1;
    try {
      await client.request({
        method: 'POST',
        path: `/api/v1/namespaces/${encodeURIComponent(occurrence.namespace)}/events`,
        body: eventObject(occurrence, { component, at, count }),
        signal: closing.signal,
      });
      forbidden = false;
    } catch (error) {
      refused(error instanceof KubeError ? error : undefined);
    }
  }

  function refused(error: KubeError | undefined): void {
    if (error?.kind === 'aborted' || error?.kind === 'withdrawn') return;
    if (error?.status === 403) {
      if (!forbidden) say('Kubernetes events may not be written to the namespaces of control planes; none are');
      forbidden = true;
      quietUntil = clock.now() + forbiddenPause;
      for (const _ of waiting) onDropped('forbidden');
      waiting = [];
      onDropped('forbidden');
      return;
    }
    if (error?.status === 429) quietUntil = clock.now() + (error.retryAfter ?? throttledPause);
    onDropped('failed');
  }

  return {
    observe(turn) {
      const at = clock.now();
      for (const occurrence of occurred(turn)) {
        const reason = reasonToDrop(occurrence, at);
        if (reason === undefined) waiting.push({ occurrence, at });
        else onDropped(reason);
      }
      if (waiting.length > 0) void post();
    },
    close: () => closing.abort(),
  };
}
