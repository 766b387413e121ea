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
  /** The stream had to begin anew, for any reason. A watch that the server ended in good order counts too. */
  | Readonly<{ kind: 'restarted'; stream: string; why: StreamTrouble | 'ended'; problem: string }>
  /** The stream cannot be relied on from here on; said once until it is live again. */
  | Readonly<{ kind: 'out'; stream: string; refused: boolean; problem: string }>
  | Readonly<{ kind: 'live'; stream: string }>
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
  if (!(error instanceof KubeError)) return { type: 'failed', at, why: 'bug', problem: String(error) };
  return { type: 'failed', at, why: troubleOf(error), problem: error.message, retryAfter: error.retryAfter };
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
