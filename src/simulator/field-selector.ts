import { valueAt } from '../domain/value-at.ts';
import { badRequest } from './api-refusal.ts';
import type { KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

/** Whether an object is selected by its fields. */
export type FieldSelector = (object: KubeObject) => boolean;

/** Reads `metadata.name=x,type!=y`; the empty text selects everything. Refuses with 400 a field that the kind does not index. */
export function fieldSelector(kind: ResourceKind, text: string): FieldSelector {
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
