import type { Instant } from '../../domain/time.ts';
import { KubeError } from '../kube-error.ts';
import type { StreamFact, StreamTrouble } from './stream-state.ts';

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
