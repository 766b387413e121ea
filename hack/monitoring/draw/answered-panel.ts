import type { Panel } from '../dashboards/dashboards.ts';
import { askedQueries } from '../record/asked-queries.ts';
import { keyOf } from '../record/record-story.ts';
import type { Recording } from '../record/recording.ts';

/** A series as the legend calls it. */
export type Named = Readonly<{
  name: string;
  labels: Readonly<Record<string, string>>;
  values: readonly (number | null)[];
  /** Which of the panel's queries it answers. */
  query: number;
}>;

/** What the recording has of a panel. Throws where it was never asked: it is older than the panel. */
export function answersTo(panel: Panel, { answers, seconds }: Recording): readonly Named[] {
  return askedQueries(panel, seconds).flatMap(({ expr, legend, instant }, query) => {
    const series = answers[keyOf(expr, instant)];
    if (series === undefined)
      throw new Error(`"${panel.title}" was not recorded: npm run docs -- dashboards records it. It asks ${expr}`);
    return series
      .filter(({ values }) => values.some((value) => value !== null))
      .map(({ labels, values }) => ({ name: nameOf(legend, labels), labels, values, query }))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  });
}

function nameOf(legend: string, labels: Readonly<Record<string, string>>): string {
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '').trim();
}
