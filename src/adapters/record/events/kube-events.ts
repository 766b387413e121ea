import { accessReviewsPath, eventsPath } from '../../kube/paths.ts';
import { valueAt } from '../../../domain/value-at.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Turn } from '../../../effects/turn.ts';
import type { KubeClient } from '../../kube/kube-client.ts';
import { KubeError } from '../../kube/kube-error.ts';
import { eventObject, type Occurrence } from './event-object.ts';
import { occurrences } from './occurrences.ts';

/** Events are posted one after the other. What does not fit into the queue is dropped: the journal has the history. */
const mostWaiting = 256;
/** The same thing about the same object is told once in this time. */
const repeatPause: Millis = 10 * 60_000;
/** Where events are forbidden we do not ask at every outage. Somebody may grant them later, so one is tried again. */
const forbiddenPause: Millis = 60 * 60_000;
/** Used where a 429 does not say how long to wait. */
const throttledPause: Millis = 10_000;
/** So many events are remembered to find repetitions, and so many namespaces that refuse. */
const mostRemembered = 2_000;

/**
 * `queue`: too many at once. `forbidden`, `failed`: the seed said so. `repeated`: the same was just posted. `fault`: a
 * bug of ours.
 */
export const eventDropReasons = ['queue', 'forbidden', 'failed', 'repeated', 'fault'] as const;

type EventDropReason = (typeof eventDropReasons)[number];

export type KubeEventsOptions = Readonly<{
  client: KubeClient;
  clock: Readonly<{ now(): Instant }>;
  /** Who tells it: `dependency-watchdog-prober`. */
  component: string;
  /** Said once, when events are found to be forbidden. */
  say: (message: string) => void;
  onDropped: (reason: EventDropReason) => void;
  /** A bug of ours, met while an event was written. */
  onFault: (error: unknown) => void;
}>;

export type KubeEvents = Readonly<{ observe(turn: Turn): void; close(): void }>;

/**
 * Tells of scaled resources and weeded pods by Kubernetes events in their namespaces, where that is permitted (SPEC 9.5).
 * They use the ordinary bucket, one at a time: neither a scale-down nor a deletion waits for them. Never throws; each failure is counted.
 */
export function kubeEvents(options: KubeEventsOptions): KubeEvents {
  const { client, clock, component, say, onDropped, onFault } = options;
  const closing = new AbortController();
  const told = new Map<string, Instant>();
  const forbiddenUntil = new Map<ShootNamespace, Instant>();
  /** Gardener grants events in `garden` alone. As long as no namespace has taken one, a refusal counts for all of them. */
  let forbiddenEverywhereUntil: Instant = -Infinity;
  let anyTaken = false;
  let hasAsked = false;
  let forbiddenSaid = false;
  let waiting: Readonly<{ occurrence: Occurrence; at: Instant }>[] = [];
  let posting = false;
  let quietUntil: Instant = -Infinity;
  let count = 0;

  function reasonToDrop(occurrence: Occurrence, now: Instant): EventDropReason | undefined {
    if (isForbidden(occurrence.namespace, now)) return 'forbidden';
    if (waiting.length >= mostWaiting) return 'queue';
    return isRepeated(occurrence, now) ? 'repeated' : undefined;
  }

  function isForbidden(namespace: ShootNamespace, now: Instant): boolean {
    return now < forbiddenEverywhereUntil || now < (forbiddenUntil.get(namespace) ?? -Infinity);
  }

  function isRepeated({ namespace, ref, uid = '', type, reason, message }: Occurrence, now: Instant): boolean {
    // A failure's words differ from one try to the next, but it is the same failure. Of what was done, or is cut off, the words before the
    // first colon say what, and those behind it why.
    const isFailure = type === 'Warning' && reason !== 'PartlyCutOff';
    const what = isFailure ? '' : message.slice(0, message.indexOf(':'));
    const key = [namespace, ref.apiVersion, ref.kind, ref.name, uid, reason, what].join(' ');
    const last = told.get(key);
    if (last !== undefined && now - last < repeatPause) return true;
    remember(told, key, now);
    return false;
  }

  /** Says at the start what would else be found out in the first outage. Where it cannot be asked, the first refusal says it. */
  async function askWhetherAllowed(): Promise<void> {
    const resourceAttributes = { verb: 'create', resource: 'events' };
    try {
      const review = await client.request({
        method: 'POST',
        path: accessReviewsPath,
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes },
        },
        signal: closing.signal,
      });
      // Some namespaces may be granted all the same, so one is tried when there is something to tell.
      if (valueAt(review, 'status', 'allowed') === false) sayForbidden("all shoots' namespaces");
    } catch (error) {
      if (!(error instanceof KubeError)) onFault(error);
    }
  }

  function sayForbidden(where: string, refusal = ''): void {
    if (!forbiddenSaid) say(forbiddenWords(where, refusal));
    forbiddenSaid = true;
  }

  async function post(): Promise<void> {
    if (posting) return;
    posting = true;
    // What a pause holds back is posted with the next turn after it, with the instant at which it happened.
    while (clock.now() >= quietUntil && !closing.signal.aborted) {
      const next = waiting.shift();
      if (next === undefined) break;
      await postOne(next.occurrence, next.at);
    }
    posting = false;
  }

  async function postOne(occurrence: Occurrence, at: Instant): Promise<void> {
    const { namespace } = occurrence;
    count += 1;
    try {
      await client.request({
        method: 'POST',
        path: eventsPath(namespace),
        body: eventObject(occurrence, { component, at, count }),
        signal: closing.signal,
      });
      anyTaken = true;
    } catch (error) {
      if (error instanceof KubeError) failed(error, namespace);
      else {
        onFault(error);
        onDropped('fault');
      }
    }
  }

  function failed({ kind, status, message, retryAfter }: KubeError, namespace: ShootNamespace): void {
    if (kind === 'aborted' || kind === 'withdrawn') return;
    if (status === 403 && isUngranted(message)) {
      sayForbidden(namespace, message);
      const now = clock.now();
      remember(forbiddenUntil, namespace, now + forbiddenPause);
      if (!anyTaken) forbiddenEverywhereUntil = now + forbiddenPause;
      onDropped('forbidden');
      const left = waiting.filter(({ occurrence }) => !isForbidden(occurrence.namespace, now));
      for (let count = left.length; count < waiting.length; count++) onDropped('forbidden');
      waiting = left;
      return;
    }
    if (status === 429) quietUntil = clock.now() + (retryAfter ?? throttledPause);
    onDropped('failed');
  }

  return {
    observe(turn) {
      const at = clock.now();
      if (!hasAsked) void askWhetherAllowed();
      hasAsked = true;
      for (const occurrence of occurrences(turn)) {
        const reason = reasonToDrop(occurrence, at);
        if (reason === undefined) waiting.push({ occurrence, at });
        else onDropped(reason);
      }
      if (waiting.length > 0) void post();
    },
    close: () => closing.abort(),
  };
}

/** Whether a grant is missing, in the words of every API server. A namespace that is being deleted, or has no quota left, is answered 403 as well, and says nothing about others. */
function isUngranted(refusal: string): boolean {
  return refusal.includes(' cannot create ');
}

/** `refusal`: the server's own words, which may name the user. */
function forbiddenWords(where: string, refusal: string): string {
  const user = /User ("[^"]+")/.exec(refusal)?.[1] ?? 'this account';
  return (
    `no Kubernetes events are written: the seed does not let ${user} create them in ${where}. Nothing depends on them. To have ` +
    "them, grant it create on events in the shoots' namespaces; until then they are counted as forbidden, and one is tried each hour"
  );
}

/** Remembers it as the youngest. Forgets the oldest where there are too many. */
function remember<Key>(instants: Map<Key, Instant>, key: Key, at: Instant): void {
  instants.delete(key);
  instants.set(key, at);
  const oldest = instants.keys().next();
  if (instants.size > mostRemembered && oldest.done !== true) instants.delete(oldest.value);
}
