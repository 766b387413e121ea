import { badRequest } from './api-refusal.ts';

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
    // What lacks the label is not among the values, so `notin` takes it.
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
