import type { Languages } from '../../../machines/kinds.ts';
import { shootGuardWords } from '../shoot-guard-words.ts';
import { weederGuardWords } from '../weeder-guard-words.ts';
import type { Arrow } from './chart-model.ts';
import { reason } from './lit-chart.ts';

type Asked = Readonly<{ question: string; rules: readonly string[] }>;

const tables: Readonly<Record<keyof Languages, Readonly<Record<string, Asked>>>> = {
  shoot: shootGuardWords,
  weeder: weederGuardWords,
};

/** The question of a guard, and the rules that it carries out; undefined for none. */
export function guardAsks(kind: keyof Languages, guard: string | undefined): Asked | undefined {
  return guard === undefined ? undefined : tables[kind][guard];
}

/** What an arrow stands for, and what it asks: `probing → leaseFailed by verdict.reached, isCutOff. Is the shoot cut off? Rules 5.1, 5.3` */
export function arrowWords(kind: keyof Languages, arrow: Arrow): string {
  const way = `${arrow.from ?? 'any state'} → ${arrow.to} by ${reason(arrow)}`;
  const asked = guardAsks(kind, arrow.guard);
  if (asked === undefined) return way;
  const { question, rules } = asked;
  const named = rules.length === 0 ? '' : ` ${rules.length === 1 ? 'Rule' : 'Rules'} ${rules.join(', ')}`;
  return `${way}. ${question}${named}`;
}
