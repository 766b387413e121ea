import type { ApiRequest } from './api-request.ts';
import { fieldSelector } from './field-selector.ts';
import { labelSelector } from './label-selector.ts';
import type { ResourceKind } from './resource-kind.ts';
import type { Revision } from './revision.ts';

/** What a list or a watch asks for. */
export type Selection = Readonly<{
  /** Empty: all of them. */
  namespace: string;
  /** There are selectors: the whole collection is not asked for. */
  narrowed: boolean;
  selects: (revision: Revision) => boolean;
}>;

/** Reads namespace, labelSelector and fieldSelector; refuses with 400 what it cannot read. */
export function selectionOf(kind: ResourceKind, { namespace, query }: ApiRequest): Selection {
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const byLabels = labelSelector(labels);
  const byFields = fieldSelector(kind, fields);
  return {
    namespace,
    narrowed: labels !== '' || fields !== '',
    selects: ({ object }) =>
      (namespace === '' || object.metadata.namespace === namespace) &&
      (labels === '' || byLabels(object.metadata.labels ?? {})) &&
      (fields === '' || byFields(object)),
  };
}
