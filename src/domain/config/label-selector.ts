import type * as z from 'zod';
import type { PodSelector } from '../weeder/weeder-config.ts';
import type { writtenLabelSelector } from './written-label-selector.ts';

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
