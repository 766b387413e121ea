import { valueAt } from '../../domain/value-at.ts';
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

type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected. */
export type LabelSelector = (labels: Labels) => boolean;

const key = String.raw`(?<key>[A-Za-z0-9][-A-Za-z0-9_./]*)`;
const setBased = new RegExp(String.raw`^${key}\s+(?<op>in|notin)\s*\((?<values>[^()]*)\)$`);
const equality = new RegExp(String.raw`^${key}\s*(?<op>==|!=|=)\s*(?<value>[-A-Za-z0-9_.]*)$`);
const inequality = new RegExp(String.raw`^${key}\s*(?<op>[<>])\s*(?<value>-?\d+)$`);
const existence = new RegExp(String.raw`^(?<op>!?)\s*${key}$`);

/** Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`; the empty text selects everything. Refuses with 400. */
export function labelSelector(text: string): LabelSelector {
  const requirements = splitOutsideParentheses(text).map(requirementOf);
  return (labels) => requirements.every((requirement) => requirement(labels));
}

function requirementOf(text: string): LabelSelector {
  const set = setBased.exec(text)?.groups;
  if (set !== undefined) {
    const values = new Set((set['values'] ?? '').split(',').map((value) => value.trim()));
    const wanted = set['op'] === 'in';
    // An object without the label has none of the values, so `notin` selects it.
    return (labels) => values.has(own(labels, set['key']) ?? ' ') === wanted;
  }
  const equal = equality.exec(text)?.groups;
  if (equal !== undefined) {
    const wanted = equal['op'] !== '!=';
    return (labels) => (own(labels, equal['key']) === equal['value']) === wanted;
  }
  const unequal = inequality.exec(text)?.groups;
  if (unequal !== undefined) {
    const bound = Number(unequal['value']);
    return (labels) => {
      const value = own(labels, unequal['key']);
      if (value === undefined || !/^-?\d+$/.test(value)) return false;
      return unequal['op'] === '>' ? Number(value) > bound : Number(value) < bound;
    };
  }
  const exists = existence.exec(text)?.groups;
  if (exists !== undefined) return (labels) => (own(labels, exists['key']) !== undefined) === (exists['op'] === '');
  throw badRequest(`unable to parse requirement: found '${text}', expected: a label selector requirement`);
}

function own(labels: Labels, name = ''): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function splitOutsideParentheses(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
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
