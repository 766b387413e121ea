import { alerts } from './alerts/alerts.ts';
import { dashboards } from './dashboards/dashboards.ts';
import { filledIn, readPromql } from './promql.ts';

/** By the name of a metric, who asks for it. */
export type Uses = ReadonlyMap<string, Readonly<{ alerts: readonly string[]; dashboards: readonly string[] }>>;

/** Everybody who asks for something, with what is asked. */
export const queries: readonly Readonly<{ by: 'alerts' | 'dashboards'; name: string; expr: string }>[] = [
  ...alerts.flatMap(({ name, when }) => when.map(({ expr }) => ({ by: 'alerts', name, expr }) as const)),
  ...dashboards.flatMap(({ name, panels }) =>
    panels.flatMap((panel) =>
      panel.queries.map(({ expr }) => ({ by: 'dashboards', name, expr: filledIn(expr) }) as const),
    ),
  ),
];

export function readUses(): Uses {
  const uses = new Map<string, { alerts: string[]; dashboards: string[] }>();
  for (const { by, name, expr } of queries)
    for (const asked of readPromql(expr).metrics) {
      const metric = familyOf(asked.name);
      const use = uses.get(metric) ?? { alerts: [], dashboards: [] };
      uses.set(metric, use);
      if (!use[by].includes(name)) use[by].push(name);
    }
  return uses;
}

/** The metric of a series: a histogram has three kinds of them. */
export function familyOf(series: string): string {
  return series.replace(/_(bucket|sum|count)$/, '');
}
