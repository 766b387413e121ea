import * as z from 'zod';
import { mappingOf, text } from './config-fields.ts';
import { isMapping } from '../value-at.ts';
import type { PodSelector } from '../weeder/weeder-config.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

/** Operators that compare with values need at least one; the others take none. */
const comparing: readonly (typeof operators)[number][] = ['In', 'NotIn'];

const name = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const domain = String.raw`(?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/`;
const signs = 'letters, digits, "-", "_" and ".", at most 63 of them, a letter or digit first and last';

const labelKey = { pattern: `^(${domain})?${name}$`, wanted: `a label, such as role or example.org/role: ${signs}` };
const labelValue = text({ pattern: `^(${name})?$`, wanted: `a label's value: "" or ${signs}` });

const requirement = z
  .strictObject(
    {
      key: text(labelKey).describe('The label; the part before a slash is a domain in lower-case letters.'),
      operator: z
        .enum(operators, { error: `one of ${operators.join(', ')}` })
        .describe('NotIn also selects what lacks the label.'),
      values: z
        .array(labelValue, { error: 'a list of values' })
        .optional()
        .describe('At least one for In and NotIn, none for Exists and DoesNotExist.'),
    },
    { error: 'a mapping of key, operator and values' },
  )
  .superRefine(
    ({ operator, values = [] }, check) => {
      const message = wrongCount(operator, values);
      if (message !== undefined) check.addIssue({ code: 'custom', path: ['values'], message });
    },
    // Reported even where another part of the requirement is wrong.
    { when: ({ value }) => isMapping(value) },
  )
  // The same for editors, which know nothing of the function above.
  .meta({
    anyOf: [valued(true, { minItems: 1 }), valued(false, { maxItems: 0 })],
  });

function valued(compares: boolean, count: object): object {
  const those = operators.filter((operator) => comparing.includes(operator) === compares);
  return {
    type: 'object',
    properties: {
      operator: { type: 'string', enum: those },
      values: { type: 'array', items: { type: 'string' }, ...count },
    },
    required: compares ? ['values'] : [],
  };
}

/** A Kubernetes LabelSelector as written in YAML, judged as the API server judges one; all requirements must hold. */
export const writtenLabelSelector = z.strictObject(
  {
    matchLabels: mappingOf(labelKey, labelValue, 'a mapping of labels to their values')
      .optional()
      .describe('Labels and the values that they must have.'),
    matchExpressions: z
      .array(requirement, { error: 'a list of mappings of key, operator and values' })
      .optional()
      .describe('Requirements on labels, all of which must hold.'),
  },
  { error: 'a mapping of matchLabels and matchExpressions' },
);

function wrongCount(operator: unknown, values: unknown): string | undefined {
  const known = operators.find((name) => name === operator);
  if (known === undefined || !Array.isArray(values)) return undefined;
  if (comparing.includes(known)) return values.length > 0 ? undefined : `a list of at least one value for ${known}`;
  return values.length === 0 ? undefined : `nothing: ${known} takes no values`;
}

/** Which pods an operator means; all that is required must hold (Kubernetes' LabelSelector). */
export type LabelSelector = z.output<typeof writtenLabelSelector>;

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/**
 * The selector as the API server reads it in `labelSelector`: `app=etcd,role in (a,b),tier`. Requirements and values are
 * sorted, and stand once. Empty where it selects everything.
 */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): PodSelector {
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map((requirement) => ({ key: requirement.key, text: requirementText(requirement) })),
  ];
  const sorted = requirements.toSorted((one, other) => order(one.key, other.key) || order(one.text, other.text));
  return [...new Set(sorted.map(({ text }) => text))].join(',');
}

function requirementText({ key, operator, values = [] }: Requirement): string {
  // The one empty value is `()`, which the API server reads so: no list is without values.
  const list = [...new Set(values)].toSorted(order).join(',');
  switch (operator) {
    case 'In':
      return `${key} in (${list})`;
    case 'NotIn':
      return `${key} notin (${list})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
  }
}

/** Everything is ASCII by then, so this is the API server's order too. */
function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
