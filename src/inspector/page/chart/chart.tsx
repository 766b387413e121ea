import { useRef } from 'preact/hooks';
import { chartModels } from '../../told/charts/chart-models.ts';
import { drawnCharts } from '../../told/charts/drawn-charts.ts';
import { litRegion, type LitRegion } from '../../told/charts/lit-chart.ts';
import type { TakenTransition } from '../../told/explanation.ts';
import type { Kind } from '../../wire/wire.ts';
import { ChartPicture } from './chart-picture.tsx';

/**
 * The statechart of a machine (view 4): small, with what was done in words below it, and large, with all labels, on request. `value`: the active states, as the snapshot
 * has them. `taken`: the transitions of the turn that is shown.
 */
export function Chart({
  kind,
  value,
  taken,
}: Readonly<{ kind: Kind; value: unknown; taken: readonly TakenTransition[] }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const lit = chartModels[kind].map((region) => litRegion(region, value, taken));
  return (
    <figure class="chart">
      <ChartPicture kind={kind} drawn={drawnCharts[kind].small} lit={lit} />
      <figcaption class="chart-caption">
        <ChartWords lit={lit} />
        <button type="button" class="chart-enlarge" onClick={() => dialog.current?.showModal()}>
          Whole chart
        </button>
      </figcaption>
      <dialog ref={dialog} class="chart-dialog" aria-label={`The statechart of the ${kind} machine`}>
        <form method="dialog" class="chart-close">
          <button type="submit">Close</button>
        </form>
        <ChartPicture kind={kind} drawn={drawnCharts[kind].large} lit={lit} />
        <div class="chart-caption">
          <ChartWords lit={lit} />
        </div>
      </dialog>
    </figure>
  );
}

function ChartWords({ lit }: Readonly<{ lit: readonly LitRegion[] }>) {
  return (
    <ul class="chart-words">
      {lit
        .flatMap(({ words }) => words)
        .map((word, index) => (
          <li key={index}>{word}</li>
        ))}
    </ul>
  );
}
