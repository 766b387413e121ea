import { readSelector, type Selector } from 'dependency-watchdog/domain/read-selector.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { badRequest } from '../store/api-refusal.ts';
import type { KubeObject } from '../store/kube-object.ts';
import type { ResourceKind } from '../store/resource-kind.ts';
import type { ApiRequest } from './api-request.ts';
import type { Revision } from '../store/revision.ts';

/** Whether an object is selected by its fields. */
type FieldSelector = (object: KubeObject) => boolean;

/** Reads `metadata.name=x,type!=y`; the empty text selects everything. Refuses with 400 a field that the kind does not index. */
function fieldSelector(kind: ResourceKind, text: string): FieldSelector {
  const known = ['metadata.name', 'metadata.namespace', ...(kind.fieldSelectors ?? [])];
  const requirements = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part): FieldSelector => {
      const groups = /^(?<field>[^=!]+?)(?<op>==|!=|=)(?<value>[^=]*)$/.exec(part.trim())?.groups;
      if (groups === undefined) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const field = groups['field'] ?? '';
      if (!known.includes(field)) {
        const names = known.map((name) => JSON.stringify(name)).join(', ');
        throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${names}`);
      }
      const path = field.split('.');
      const wanted = groups['op'] !== '!=';
      return (object) => (textOf(valueAt(object, ...path)) === groups['value']) === wanted;
    });
  return (object) => requirements.every((requirement) => requirement(object));
}

/** A field that is not set reads as the empty text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As `readSelector`; refuses with 400. */
export function labelSelector(text: string): Selector {
  const read = readSelector(text);
  if ('problem' in read) throw badRequest(read.problem);
  return read.selects;
}

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
