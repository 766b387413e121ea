import { parser } from '@prometheus-io/lezer-promql';

/** What a query asks Prometheus for. */
export type Asked = Readonly<{
  /** The metrics, as they are named in it: with `_bucket`, `_sum` or `_count`. */
  metrics: readonly Readonly<{ name: string; labels: readonly string[] }>[];
  /** The labels by which it groups or matches. */
  groupings: readonly string[];
}>;

/** Reads a query as Prometheus does. Throws where it is none. */
export function readPromql(expr: string): Asked {
  const metrics: { name: string; labels: string[] }[] = [];
  const groupings: string[] = [];
  const textOf = ({ from, to }: Readonly<{ from: number; to: number }>): string => expr.slice(from, to);
  const parents: string[] = [];
  parser.parse(expr).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`no PromQL, from ${JSON.stringify(expr.slice(node.from))} on: ${expr}`);
      if (node.name === 'VectorSelector') metrics.push({ name: '', labels: [] });
      const selector = metrics.at(-1);
      if (node.name === 'Identifier' && selector !== undefined) selector.name = textOf(node);
      if (node.name === 'LabelName' && parents.at(-1) === 'GroupingLabels') groupings.push(textOf(node));
      else if (node.name === 'LabelName' && selector !== undefined) selector.labels.push(textOf(node));
      parents.push(node.name);
    },
    leave: () => void parents.pop(),
  });
  return { metrics, groupings };
}

/** Any values, for reading alone. */
const usual: Readonly<Record<string, string>> = {
  __rate_interval: '1m',
  __range: '1h',
  shoot: 'shoot--dev--one',
  instance: '.+',
};

/** A query of a dashboard with the variables filled in, as Grafana does it. */
export function filledIn(expr: string): string {
  return expr.replaceAll(/\$(__rate_interval|__range|shoot|instance)\b/g, (_, name: string) => usual[name] ?? '');
}
