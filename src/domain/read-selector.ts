import { valueAt } from './value-at.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected, as client-go's `labels.Selector`. */
export type Selector = (labels: Labels) => boolean;

const key = String.raw`(?<key>[A-Za-z0-9][-A-Za-z0-9_./]*)`;
const setBased = new RegExp(String.raw`^${key}\s+(?<op>in|notin)\s*\((?<values>[^()]*)\)$`);
const equality = new RegExp(String.raw`^${key}\s*(?<op>==|!=|=)\s*(?<value>[-A-Za-z0-9_.]*)$`);
const inequality = new RegExp(String.raw`^${key}\s*(?<op>[<>])\s*(?<value>-?\d+)$`);
const existence = new RegExp(String.raw`^(?<op>!?)\s*${key}$`);

/**
 * Reads a selector as the API server reads `labelSelector`: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`. The empty text selects
 * everything. `problem`: in Kubernetes' words, of a text that Kubernetes refuses.
 */
export function readSelector(text: string): Readonly<{ selects: Selector }> | Readonly<{ problem: string }> {
  const requirements: Selector[] = [];
  for (const part of splitOutsideParentheses(text)) {
    const requirement = requirementOf(part);
    if (requirement === undefined)
      return { problem: `unable to parse requirement: found '${part}', expected: a label selector requirement` };
    requirements.push(requirement);
  }
  return { selects: (labels) => requirements.every((requirement) => requirement(labels)) };
}

/** The labels of an object of Kubernetes. Any value may come in. */
export function labelsOf(object: unknown): Labels {
  const labels = valueAt(object, 'metadata', 'labels');
  return typeof labels === 'object' && labels !== null ? (labels as Labels) : {};
}

function requirementOf(text: string): Selector | undefined {
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
  return undefined;
}

function own(labels: Labels, name = ''): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function splitOutsideParentheses(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}
