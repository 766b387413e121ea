import type { Arrow } from '../../told/charts/chart-model.ts';
import type { DrawnRegion } from '../../told/charts/drawn-chart.ts';
import { transitionKey, type LitRegion } from '../../told/charts/lit-chart.ts';
import { EdgePicture } from './edge-picture.tsx';
import { AnyStatePicture, StatePicture } from './state-picture.tsx';

/** One region, as large as its place allows. `pointed`: the transition that the reader looks at. */
export function RegionPicture({
  drawn,
  lit,
  pointed,
  onPoint,
}: Readonly<{
  drawn: DrawnRegion;
  lit: LitRegion | undefined;
  pointed: Arrow | undefined;
  onPoint: (arrow: Arrow | undefined) => void;
}>) {
  const took = new Set((lit?.arrows ?? []).map(transitionKey));
  const isTaken = (arrow: Arrow) => took.has(transitionKey(arrow));
  // What was taken is drawn last, so that no quiet line crosses it.
  const edges = drawn.edges.toSorted(
    (one, other) => Number(one.arrows.some(isTaken)) - Number(other.arrows.some(isTaken)),
  );
  return (
    <svg
      class="chart-region"
      viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      width={drawn.width}
      height={drawn.height}
      role="group"
      aria-label={lit?.words.join('; ')}
    >
      {drawn.name === '' ? null : (
        <text class="chart-name" x="8" y="18">
          {drawn.name}
        </text>
      )}
      {edges.map((edge) => (
        <EdgePicture
          key={`${edge.arrows[0]?.from} ${edge.arrows[0]?.to}`}
          edge={edge}
          isTaken={isTaken}
          pointed={pointed}
          onPoint={onPoint}
        />
      ))}
      {drawn.anyState === null ? null : <AnyStatePicture box={drawn.anyState} />}
      {drawn.states.map((state) => (
        <StatePicture
          key={state.name}
          state={state}
          initial={state.name === drawn.initial}
          active={state.name === lit?.active}
          stays={state.name === lit?.active ? lit.stays : []}
        />
      ))}
    </svg>
  );
}
