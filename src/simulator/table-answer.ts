import type { Instant } from '../domain/time.ts';
import type { JsonObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';
import type { Revision } from './revision.ts';
import { columnsOf } from './table-columns.ts';

/** A `meta.k8s.io/v1` Table; the metadata is the list's. */
export function tableAnswer(
  kind: ResourceKind,
  revisions: readonly Revision[],
  metadata: JsonObject,
  now: Instant,
): string {
  const columns = columnsOf(kind);
  const names = ['Name', ...columns.map(({ name }) => name), 'Age'];
  return JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: names.map((name) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: 0,
    })),
    rows: revisions.map(({ object }) => ({
      cells: [
        object.metadata.name,
        ...columns.map(({ cell }) => cell(object, kind)),
        age(now - Date.parse(object.metadata.creationTimestamp)),
      ],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  });
}

/** `42s`, `12m`, `5h`, `3d`: as coarse as kubectl's. */
function age(length: number): string {
  const seconds = Math.max(0, Math.floor(length / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
