import { whyNotRules, type WhyNotRule } from '../../told/why-not-rules.ts';

/** The rules of docs/specification.md that something goes by. */
export function Rules({ rules }: Readonly<{ rules: readonly WhyNotRule[] }>) {
  return (
    <span class="ask-rules">
      {rules.length === 1 ? 'rule' : 'rules'} {rules.map((rule) => `${rule} ${whyNotRules[rule]}`).join('; ')}
    </span>
  );
}
