import type { Instant } from '../../domain/time.ts';
import { KubeError } from '../kube/kube-error.ts';
import type { StreamTrouble, StreamFact } from './stream-state.ts';

/**
 * What an operator may want to know about the seed's streams, and what is counted. `stream` names one stream: `clusters`, `secrets`,
 * `deployments/x`. Many streams that come and go share one name, `pods`, so that the label of the metrics has few values; `of`
 * then says which one it is.
 */
export type StreamNotice = Readonly<{ of?: string }> & StreamOccurrence;

type StreamOccurrence =
  /** It begins: its first list is not in yet. */
  | Readonly<{ kind: 'opening'; stream: string }>
  /** Nobody follows it any more. */
  | Readonly<{ kind: 'closed'; stream: string }>
  /** The stream had to begin anew because something failed. `reason`: in a few words, the same for all streams that meet the same trouble. */
  | Readonly<{ kind: 'restarted'; stream: string; why: StreamTrouble | 'ended'; problem: string; reason: string }>
  /** The server ended the watch after a healthy spell, as we asked it to. */
  | Readonly<{ kind: 'renewed'; stream: string }>
  /** The stream cannot be relied on from here on; said once until it is live again. */
  | Readonly<{ kind: 'out'; stream: string; refused: boolean; problem: string; reason: string }>
  | Readonly<{ kind: 'live'; stream: string }>
  /** The seed refuses `stream`, or does so no longer: what it told is learned from `by`. */
  | Readonly<{ kind: 'replaced'; stream: string; by: string; problem: string }>
  /** A line or a list item that is no object of Kubernetes. */
  | Readonly<{ kind: 'badLine'; stream: string; problem: string }>
  /** The projection of an object threw, which is a bug of ours. The object stays as it was known before. */
  | Readonly<{ kind: 'unprojected'; stream: string; object: string; problem: string }>
  /** There are more objects than the store may hold; this one was left out. */
  | Readonly<{ kind: 'overLimit'; stream: string; object: string; limit: number }>
  /** SPEC 3.4; said once for each problem. */
  | Readonly<{ kind: 'unreadable'; stream: string; object: string; problem: string }>;

type Failed = StreamFact & { type: 'failed' };

/** Turns an error into a fact of the stream. Only KubeError is expected; any other error is a bug of ours, and the stream begins anew. */
export function streamFailure(error: unknown, at: Instant): Failed {
  if (!(error instanceof KubeError)) {
    const problem = String(error);
    return { type: 'failed', at, why: 'bug', problem, reason: `a bug of the watchdog: ${problem}` };
  }
  const { message: problem, retryAfter } = error;
  return { type: 'failed', at, why: troubleOf(error), problem, reason: reasonOf(error), retryAfter };
}

/** `problem` says what was asked as well, `reason` does not. */
export function problemOf(fact: StreamFact): Readonly<{ problem: string; reason: string }> {
  if (fact.type === 'failed') return { problem: fact.problem, reason: fact.reason };
  const problem = fact.type === 'ended' ? 'the server ended the watch early' : 'the server does not answer';
  return { problem, reason: problem };
}

/** A refusal names the kind in its message. Without that, it is one reason for all streams. */
function reasonOf({ status, message, why }: KubeError): string {
  if (status === 403) {
    const user = /User ("[^"]+")/.exec(message)?.[1];
    return `403 Forbidden: grant ${user ?? 'this user'} the verbs get, list and watch`;
  }
  return status === 404 ? '404 NotFound: the seed does not serve this kind' : why;
}

function troubleOf({ kind, status }: KubeError): StreamTrouble {
  switch (kind) {
    case 'status':
      return troubleOfStatus(status);
    case 'garbled':
      return 'garbled';
    case 'timeout':
      return 'silent';
    case 'aborted':
    case 'withdrawn':
    case 'overloaded':
    case 'certificate':
    case 'unreachable':
      return 'failed';
  }
}

/** `status` is that of an answer, or of the Status in an ERROR event. */
export function troubleOfStatus(status: number): StreamTrouble {
  if (status === 410) return 'expired';
  return status === 403 || status === 404 ? 'refused' : 'failed';
}

/** What came is not in Kubernetes' form. */
export function garbled(at: Instant, problem: string): StreamFact {
  return { type: 'failed', at, why: 'garbled', problem, reason: problem };
}

/** The list that follows shows the present state, and proves that history went back. */
export function wentBack(at: Instant): StreamFact {
  const problem = 'the watch tells of versions before those that it began with';
  return { type: 'failed', at, why: 'expired', problem, reason: problem };
}
