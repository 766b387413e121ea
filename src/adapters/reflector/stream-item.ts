import type { Chance, Clock } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { SeedHistory } from './seed-history.ts';
import type { StreamTrouble } from './stream-state.ts';

/** What the streams of one seed share. */
export type StreamPorts = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  /** By default a stream has one of its own. */
  history?: SeedHistory | undefined;
  /** For logs and counters; decides nothing. */
  notice?: (notice: StreamNotice) => void;
}>;

/** One object of the seed as a store holds it: its place, the version that was seen, and the value that was made of it. */
export type StoredObject<Value> = Readonly<{
  /** Empty for an object without a namespace. */
  namespace: string;
  name: string;
  resourceVersion: string;
  value: Value;
}>;

/** The key of an object in a store. */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** An object that is new, or newer than `before`. */
export type Applied<Value> = Readonly<{ object: StoredObject<Value>; before: StoredObject<Value> | undefined }>;

/** An object that is gone. `resourceVersion`: of the deletion, or of the list that lacked it. */
export type Deleted = Readonly<{ namespace: string; name: string; resourceVersion: string }>;

/** What a reflector emits. A failure is an item, never an error: the stream goes on by itself until it is unsubscribed. */
export type StreamItem<Value> =
  /** A whole list is in: the objects that are new or have changed, and those that are gone. The store equals the list. */
  | Readonly<{
      type: 'listed';
      resourceVersion: string;
      applied: readonly Applied<Value>[];
      deleted: readonly Deleted[];
      /** How many objects were not stored, since there are too many. */
      dropped: number;
      /** The seed's history went back since the last list: what was known before does not count any more, however new it looks. */
      rewound: boolean;
    }>
  | (Readonly<{ type: 'applied' }> & Applied<Value>)
  | (Readonly<{ type: 'deleted' }> & Deleted)
  /** An object was not stored, since there are too many. */
  | Readonly<{ type: 'dropped'; namespace: string; name: string }>
  /** Nothing changed up to here. */
  | Readonly<{ type: 'advanced'; resourceVersion: string }>
  /** From here on the store follows the seed. */
  | Readonly<{ type: 'live' }>
  /** From here on the store may be out of date. `refused`: the seed does not let us see this kind, or does not serve it. */
  | Readonly<{ type: 'out'; refused: boolean; problem: string }>;

/** The objects that the item brings or changes. */
export function appliedIn<Value>(item: StreamItem<Value>): readonly Applied<Value>[] {
  if (item.type === 'listed') return item.applied;
  return item.type === 'applied' ? [item] : [];
}

/** The objects that are gone with the item. */
export function deletedIn(item: StreamItem<unknown>): readonly Deleted[] {
  if (item.type === 'listed') return item.deleted;
  return item.type === 'deleted' ? [item] : [];
}

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
