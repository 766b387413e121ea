import type { Instant, Millis } from '../../domain/time.ts';
import { numberAt, textAt, valueAt } from '../../domain/value-at.ts';
import { KubeError } from '../kube/kube-error.ts';
import { ListReader, type ItemLimits, type ListEnd, type ListReaderOptions } from '../reading/list-reader.ts';
import { garbled as noList, ProbeFailed } from '../reading/probe-failed.ts';
import { operatorLine } from '../words/secrets.ts';
import type { StreamFact, StreamTrouble } from './stream-state.ts';

/** The seed is our own, so an item may be as large as a line of a watch. */
const itemLimits: ItemLimits = { bytes: 8 * 1_048_576, values: Infinity };

/**
 * Reads one page of a list while it comes, and passes on item by item, of which only what `keeps` names is parsed. So a page costs the memory
 * of one item: a Cluster has up to 300 KB, nine tenths of them a cloud profile that nobody reads here. Throws ProbeFailed where the answer is
 * no list, and what `pieces` throws.
 */
export async function readListPage(
  pieces: AsyncIterable<Buffer>,
  options: Pick<ListReaderOptions, 'keeps' | 'deep' | 'take'>,
): Promise<ListEnd> {
  const reader = new ListReader({ ...options, limits: itemLimits });
  for await (const piece of pieces) reader.feed(piece);
  const end = reader.end();
  if (end.resourceVersion === '') throw noList('the answer is no list');
  return end;
}

/** The place of an object, and the version of it. */
export type ObjectIdentity = Readonly<{ namespace: string; name: string; resourceVersion: string }>;

/** One line of a watch, or the reason why it is none. */
export type WatchLine =
  | Readonly<{ type: 'applied' | 'deleted'; identity: ObjectIdentity; object: unknown }>
  | Readonly<{ type: 'bookmark'; resourceVersion: string }>
  /** An ERROR event: the server gives this watch up. `code` is the code of the Status, 0 where there is none. */
  | Readonly<{ type: 'error'; code: number; problem: string; retryAfter: Millis }>
  | Readonly<{ type: 'bad'; problem: string }>;

/** Reads a parsed line of a Kubernetes watch. The input may be any value. */
export function readWatchLine(line: unknown): WatchLine {
  const type = textAt(line, 'type');
  const object = valueAt(line, 'object');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const identity = identityOf(object);
      if (identity === undefined) return { type: 'bad', problem: `${type} without a name or a resourceVersion` };
      return { type: type === 'DELETED' ? 'deleted' : 'applied', identity, object };
    }
    case 'BOOKMARK': {
      const resourceVersion = textAt(object, 'metadata', 'resourceVersion');
      if (resourceVersion === '') return { type: 'bad', problem: 'BOOKMARK without a resourceVersion' };
      return { type: 'bookmark', resourceVersion };
    }
    case 'ERROR':
      return {
        type: 'error',
        code: numberAt(object, 'code') ?? 0,
        problem: operatorLine(textAt(object, 'message')) || 'ERROR without a message',
        retryAfter: (numberAt(object, 'details', 'retryAfterSeconds') ?? 0) * 1_000,
      };
    default:
      return { type: 'bad', problem: 'a line that is no event of a watch' };
  }
}

/** Undefined where the object cannot be identified. */
export function identityOf(object: unknown): ObjectIdentity | undefined {
  const name = textAt(object, 'metadata', 'name');
  const resourceVersion = textAt(object, 'metadata', 'resourceVersion');
  if (name === '' || resourceVersion === '') return undefined;
  return { namespace: textAt(object, 'metadata', 'namespace'), name, resourceVersion };
}

type Failed = StreamFact & { type: 'failed' };

/** Turns an error into a fact of the stream. Only KubeError is expected; any other error is a bug of ours, and the stream begins anew. */
export function streamFailure(error: unknown, at: Instant): Failed {
  if (error instanceof ProbeFailed) return garbled(at, error.message);
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
export function garbled(at: Instant, problem: string): Failed {
  return { type: 'failed', at, why: 'garbled', problem, reason: problem };
}

/** The list that follows shows the present state, and proves that history went back. */
export function wentBack(at: Instant): StreamFact {
  const problem = 'the watch tells of versions before those that it began with';
  return { type: 'failed', at, why: 'expired', problem, reason: problem };
}
