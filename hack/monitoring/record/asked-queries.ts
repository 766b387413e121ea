import type { Dashboard, Panel } from '../dashboards/dashboards.ts';
import { filledIn } from '../promql.ts';

/** The shoot that the dashboard of one shoot shows. */
const chosenShoot = 'shoot--dev--three';

/** What a panel asks for, as it is sent to Prometheus once the story is over. `instant`: at its end alone. */
export function askedQueries(
  { kind, queries }: Panel,
  seconds: number,
): readonly Readonly<{ expr: string; legend: string; instant: boolean }>[] {
  const values = { __rate_interval: '1m', __range: `${seconds}s`, shoot: chosenShoot, instance: '.+' };
  const instant = kind === 'stat' || kind === 'bargauge' || kind === 'table';
  return queries.map(({ expr, legend }) => ({ expr: filledIn(expr, values), legend, instant }));
}

/** What is chosen at the head of a dashboard in its picture. */
export function chosenIn({ variable }: Dashboard): string | undefined {
  if (variable === undefined) return undefined;
  return `${variable.label}: ${variable.many ? 'all' : chosenShoot}`;
}
