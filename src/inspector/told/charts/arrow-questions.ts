import type { Languages } from '../../../machines/kinds.ts';
import { ruleWords } from '../guard-rules.ts';
import { shootGuardWords } from '../shoot-guard-words.ts';
import { weederGuardWords } from '../weeder-guard-words.ts';
import type { Arrow } from './chart-model.ts';
import { reason } from './lit-chart.ts';

type Asked = Readonly<{ question: string; rules: readonly string[] }>;

const tables: Readonly<Record<keyof Languages, Readonly<Record<string, Asked>>>> = {
  shoot: shootGuardWords,
  weeder: weederGuardWords,
};

/** What an arrow stands for, and what it asks: `probing → leaseFailed by verdict.reached, isCutOff. Is the shoot cut off? Rule 5.3 The verdicts` */
export function arrowWords(kind: keyof Languages, arrow: Arrow): string {
  const way = `${arrow.from ?? 'any state'} → ${arrow.to} by ${reason(arrow)}`;
  const asked = arrow.guard === undefined ? undefined : tables[kind][arrow.guard];
  if (asked === undefined) return way;
  const { question, rules } = asked;
  const named =
    rules.length === 0 ? '' : ` ${rules.length === 1 ? 'Rule' : 'Rules'} ${rules.map(ruleWords).join(', ')}`;
  return `${way}. ${question}${named}`;
}
