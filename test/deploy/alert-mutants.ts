import { parser } from '@prometheus-io/lezer-promql';
import type { Alert, Condition } from '../../hack/monitoring/alerts/alerts.ts';

/** The alert, of one cause alone, with a slip in it. */
export type AlertMutant = Readonly<{ says: string; alert: Alert }>;

/** One for each threshold and factor, each comparison, and each time for which it must be so. */
export function mutantsOf(alert: Alert): readonly AlertMutant[] {
  return alert.when.flatMap((condition) =>
    [...otherExpressions(condition), ...otherTimes(condition)].map(({ says, condition: slipped }) => ({
      says: `${alert.name}, ${condition.cause ?? 'its one cause'}: ${says}`,
      alert: { ...alert, when: [slipped] },
    })),
  );
}

type Slip = Readonly<{ says: string; condition: Condition }>;

const opposite: Readonly<Record<string, string>> = {
  Gtr: '<=',
  Lss: '>=',
  Gte: '<',
  Lte: '>',
  EqlC: '!=',
};

function otherExpressions(condition: Condition): readonly Slip[] {
  const { expr } = condition;
  const slips: Slip[] = [];
  const parents: string[] = [];
  parser.parse(expr).iterate({
    enter({ name, from, to }) {
      const text = expr.slice(from, to);
      const others = name === 'NumberDurationLiteral' || name === 'NumberLiteral' ? numbersFor(text) : [opposite[name]];
      // A number that is an argument is no threshold.
      if (parents.at(-1) === 'BinaryExpr' || name in opposite)
        for (const other of others)
          if (other !== undefined)
            slips.push({
              says: `${other} for ${text} at ${from}`,
              condition: { ...condition, expr: expr.slice(0, from) + other + expr.slice(to) },
            });
      parents.push(name);
    },
    leave: () => void parents.pop(),
  });
  return slips;
}

function numbersFor(text: string): readonly string[] {
  const number = Number(text);
  return number === 0 ? ['5', '-1'] : [String(number * 2), String(number / 2)];
}

/** A minute more, a minute less, and none. */
function otherTimes(condition: Condition): readonly Slip[] {
  const [, count, unit] = /^(\d+)([mh])$/.exec(condition.for ?? '0m') ?? [];
  const minutes = Number(count) * (unit === 'h' ? 60 : 1);
  return [...new Set([minutes + 1, minutes - 1, 0])]
    .filter((other) => other >= 0 && other !== minutes)
    .map((other) => ({ says: `for ${other}m`, condition: { ...condition, for: `${other}m` } }));
}
