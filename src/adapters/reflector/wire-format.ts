import { textAt, valueAt, numberAt } from '../../domain/value-at.ts';
import { operatorLine } from '../words/secrets.ts';

/** One page of a list: its items unread, the token of the next page (empty on the last one), and the version of the whole list. */
export type ListPage = Readonly<{ items: readonly unknown[]; next: string; resourceVersion: string }>;

/** Reads a parsed Kubernetes list; undefined where the value is no list. */
export function readListPage(body: unknown): ListPage | undefined {
  // Go writes a list as null where the server never filled it.
  const items = valueAt(body, 'items') ?? [];
  const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
  if (!Array.isArray(items) || resourceVersion === '') return undefined;
  return { items, next: textAt(body, 'metadata', 'continue'), resourceVersion };
}

/** The place of an object, and the version of it. */
export type ObjectIdentity = Readonly<{ namespace: string; name: string; resourceVersion: string }>;

/** One line of a watch, or the reason why it is none. */
export type WatchLine =
  | Readonly<{ type: 'applied' | 'deleted'; identity: ObjectIdentity; object: unknown }>
  | Readonly<{ type: 'bookmark'; resourceVersion: string }>
  /** An ERROR event: the server gives this watch up. `code` is the code of the Status, 0 where there is none. */
  | Readonly<{ type: 'error'; code: number; problem: string; retryAfterSeconds: number }>
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
        retryAfterSeconds: numberAt(object, 'details', 'retryAfterSeconds') ?? 0,
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
