import type { Arrow } from '../../told/charts/chart-model.ts';
import type { DrawnEdge, DrawnRegion } from '../../told/charts/drawn-chart.ts';
import { transitionKey, type LitRegion } from '../../told/charts/lit-chart.ts';
import { EdgePicture } from './edge-picture.tsx';
import { AnyStatePicture, StatePicture } from './state-picture.tsx';

type RegionPictureProps = Readonly<{
  drawn: DrawnRegion;
  lit: LitRegion | undefined;
  /** Its place among the edges of all regions, and what it says aloud. */
  nameOf: (edge: DrawnEdge) => Readonly<{ index: number; words: string }>;
  /** The edge that the reader looks at, and the one that the tabulator stops at. */
  pointed: DrawnEdge | undefined;
  stop: DrawnEdge | undefined;
  onPoint: (edge: DrawnEdge | undefined) => void;
  onStop: (edge: DrawnEdge) => void;
}>;

/** One region, as large as its place allows. */
export function RegionPicture({ drawn, lit, nameOf, pointed, stop, onPoint, onStop }: RegionPictureProps) {
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
        <text class="chart-name" x="4" y="16">
          {drawn.name}
        </text>
      )}
      {edges.map((edge) => (
        <EdgePicture
          key={nameOf(edge).index}
          edge={edge}
          name={nameOf(edge)}
          isTaken={isTaken}
          pointed={edge === pointed}
          isStop={edge === stop}
          onPoint={onPoint}
          onStop={onStop}
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
