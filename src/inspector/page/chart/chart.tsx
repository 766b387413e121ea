import { useState } from 'preact/hooks';
import type { Arrow } from '../../told/charts/chart-model.ts';
import { chartModels } from '../../told/charts/chart-models.ts';
import { drawnCharts } from '../../told/charts/drawn-charts.ts';
import { litRegion, reason } from '../../told/charts/lit-chart.ts';
import type { TakenTransition } from '../../told/explanation.ts';
import type { Kind } from '../../wire/wire.ts';
import { RegionPicture } from './region-picture.tsx';

/** The statechart of a machine (view 4). `value`: the active states, as the snapshot has them. `taken`: the transitions of the turn that is shown. */
export function Chart({
  kind,
  value,
  taken,
}: Readonly<{ kind: Kind; value: unknown; taken: readonly TakenTransition[] }>) {
  const [pointed, setPointed] = useState<Arrow | undefined>(undefined);
  const lit = chartModels[kind].map((region) => litRegion(region, value, taken));
  return (
    <figure class="chart">
      <div class="chart-regions">
        {drawnCharts[kind].map((drawn, index) => (
          <RegionPicture key={drawn.name} drawn={drawn} lit={lit[index]} pointed={pointed} onPoint={setPointed} />
        ))}
      </div>
      <figcaption class="chart-caption">
        <ul class="chart-words">
          {lit
            .flatMap(({ words }) => words)
            .map((word) => (
              <li key={word}>{word}</li>
            ))}
        </ul>
        {pointed === undefined ? null : (
          <p class="chart-pointed">
            {pointed.from ?? 'any state'} → {pointed.to} by {reason(pointed)}
          </p>
        )}
      </figcaption>
    </figure>
  );
}
