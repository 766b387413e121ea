import { expired, invalidField } from '../store/api-refusal.ts';
import type { ApiRequest } from './api-request.ts';
import { readVersion } from './list-answer.ts';
import type { WatchOrder } from './live-watch.ts';
import type { Storage } from '../store/object-writes.ts';
import type { ResourceKind } from '../store/resource-kind.ts';
import { tableAnswer } from './table.ts';
import { selectionOf } from './selection.ts';

/** Kubernetes lets a watch live half an hour to an hour unless it is told a time. */
const leastSeconds = 1_800;

/** What a watch asks for. Throws ApiRefusal: the head of the answer is not sent yet. */
export function watchOrder(
  storage: Storage,
  ask: ApiRequest,
  kind: ResourceKind,
  tellsExpiredBy: 'event' | 'status',
): WatchOrder {
  const { query } = ask;
  const { store } = storage;
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  const after = readVersion(query.get('resourceVersion'));
  const order: WatchOrder = {
    kind,
    collection: store.of(kind),
    selection: selectionOf(kind, ask),
    initial: initialOf(query, after),
    after,
    bookmarks: query.get('allowWatchBookmarks') === 'true',
    show: ask.asTable ? (revision) => tableAnswer(kind, [revision], {}, storage.clock.now()) : ({ json }) => json,
    timeout: (seconds > 0 ? seconds : leastSeconds * (1 + storage.chance())) * 1_000,
    newest: () => store.resourceVersion,
  };
  const isForgotten = order.initial === 'none' && order.collection.since(after) === undefined;
  if (isForgotten && tellsExpiredBy === 'status')
    throw expired(`too old resource version: ${after} (${store.resourceVersion})`);
  return order;
}

function initialOf(query: URLSearchParams, after: number): WatchOrder['initial'] {
  const sends = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch');
  if (sends === null && match !== null) {
    throw optionForbidden(
      'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (sends !== null && match !== 'NotOlderThan') {
    throw optionForbidden('Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (sends === 'true') return query.get('allowWatchBookmarks') === 'true' ? 'withBookmark' : 'synthetic';
  return after === 0 && sends === null ? 'synthetic' : 'none';
}

function optionForbidden(problem: string): Error {
  return invalidField({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', 'resourceVersionMatch', problem);
}
