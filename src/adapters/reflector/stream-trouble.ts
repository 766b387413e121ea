import type { Instant } from '../../domain/time.ts';
import { KubeError } from '../kube/kube-error.ts';
import type { StreamTrouble, StreamFact } from './stream-state.ts';

/**
 * What an operator may want to know of the seed's streams, and what is counted. `stream` names one: `clusters`, `secrets`,
 * `deployments/x`; or, so that what is counted by it stays small, many that come and go: `pods`. `of` then says which.
 */
export type StreamNotice = Readonly<{ of?: string }> & StreamOccurrence;

type StreamOccurrence =
  /** The stream had to begin anew, for whatever reason; a watch that the server ended in good order is one, too. */
  | Readonly<{ kind: 'restarted'; stream: string; why: StreamTrouble | 'ended'; problem: string }>
  /** Said once for each time that the stream cannot be relied on. */
  | Readonly<{ kind: 'out'; stream: string; refused: boolean; problem: string }>
  | Readonly<{ kind: 'live'; stream: string }>
  /** A line or an item that is no object of Kubernetes. */
  | Readonly<{ kind: 'badLine'; stream: string; problem: string }>
  /** What was made of an object threw: a bug of ours. The object stays as it was known before. */
  | Readonly<{ kind: 'unprojected'; stream: string; object: string; problem: string }>
  /** There are more objects than the stream keeps; this one was not. */
  | Readonly<{ kind: 'overLimit'; stream: string; object: string; limit: number }>
  /** SPEC 3.4; said once for each problem. */
  | Readonly<{ kind: 'unreadable'; stream: string; object: string; problem: string }>;

type Failed = StreamFact & { type: 'failed' };

/** What an error means to a stream. Only KubeError is expected; another is a bug of ours, and the stream begins anew. */
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

/** Of an answer, or of the Status in an ERROR event. */
export function troubleOfStatus(status: number): StreamTrouble {
  if (status === 410) return 'expired';
  return status === 403 || status === 404 ? 'refused' : 'failed';
}
