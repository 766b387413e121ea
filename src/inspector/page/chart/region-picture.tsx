import type { Arrow, Stay } from '../../model/charts/chart-model.ts';
import {
  arrowRows,
  letters,
  topOfLabel,
  headPoints,
  linePath,
  type DrawnEdge,
  type DrawnRegion,
  type Box,
  type DrawnState,
} from '../../model/charts/drawn-chart.ts';
import { transitionKey, type LitRegion } from '../../model/charts/lit-chart.ts';

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

/** In CSS pixels: a state that is as high has room for the name of an event. */
const twoRows = 36;

/** A state. The active one has a mark before its name, and a sign where something was done in it without leaving it. */
function StatePicture({
  state: { name, x, y, width, height },
  initial,
  active,
  stays: [stay],
}: Readonly<{ state: DrawnState; initial: boolean; active: boolean; stays: readonly Stay[] }>) {
  const [middle, half] = [x + width / 2, y + height / 2];
  const named = stay !== undefined && height >= twoRows;
  return (
    <g
      class={active ? 'chart-state chart-active' : 'chart-state'}
      role="img"
      aria-label={active ? `${name}, the active state` : name}
    >
      {initial ? (
        <>
          <circle class="chart-start" cx={x - 15} cy={half} r="3" />
          <path class="chart-line" d={`M${x - 15} ${half}H${x}`} />
        </>
      ) : null}
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx="5" />
      {active ? <path class="chart-mark" d={`M${x + 5} ${half - 5}l7 5l-7 5z`} /> : null}
      <text class="chart-state-name" x={middle} y={named ? y + 16 : half + 4}>
        {name}
      </text>
      {stay === undefined ? null : (
        <text class="chart-stay" x={named ? middle : x + width - 9} y={named ? y + 29 : half + 4}>
          {named ? `↻ ${stay.event}` : '↻'}
        </text>
      )}
    </g>
  );
}

/** Stands for all states, where the region itself listens. */
function AnyStatePicture({ box: { x, y, width, height } }: Readonly<{ box: Box }>) {
  return (
    <g class="chart-any-state" role="img" aria-label="any state">
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx={height / 2} />
      <text class="chart-any-state-name" x={x + width / 2} y={y + height / 2 + 4}>
        any state
      </text>
    </g>
  );
}

type EdgePictureProps = Readonly<{
  edge: DrawnEdge;
  name: Readonly<{ index: number; words: string }>;
  isTaken: (arrow: Arrow) => boolean;
  pointed: boolean;
  isStop: boolean;
  onPoint: (edge: DrawnEdge | undefined) => void;
  onStop: (edge: DrawnEdge) => void;
}>;

/** All transitions from one state to another: a line, and in a large chart a label for each. */
function EdgePicture({ edge, name, isTaken, pointed, isStop, onPoint, onStop }: EdgePictureProps) {
  const { path, arrows } = edge;
  const taken = arrows.some(isTaken);
  const line = linePath(path);
  return (
    <g
      class={['chart-edge', ...(taken ? ['chart-taken'] : []), ...(pointed ? ['chart-looked'] : [])].join(' ')}
      role="img"
      aria-label={taken ? `taken: ${name.words}` : name.words}
      tabindex={isStop ? 0 : -1}
      data-edge={name.index}
      onMouseEnter={() => onPoint(edge)}
      onMouseLeave={() => onPoint(undefined)}
      onFocus={() => onStop(edge)}
      onBlur={() => onPoint(undefined)}
    >
      <path class="chart-reach" d={line} />
      <path class="chart-line" d={line} />
      <polygon class="chart-head" points={headPoints(path, taken ? 1.4 : 1)} />
      <EdgeLabels edge={edge} isTaken={isTaken} />
    </g>
  );
}

function EdgeLabels({ edge: { label, arrows }, isTaken }: Pick<EdgePictureProps, 'edge' | 'isTaken'>) {
  if (label === undefined) return null;
  return (
    <>
      <rect class="chart-label-ground" {...label} />
      {arrows.map((arrow, index) => (
        <g key={index} class={isTaken(arrow) ? 'chart-label chart-label-taken' : 'chart-label'}>
          {arrowRows(arrow).map((row, nth) => (
            <text
              key={row}
              x={label.x + letters.padding}
              y={label.y + topOfLabel(arrows, index) + (nth + 1) * letters.row - 1}
            >
              <RowWords row={row} />
            </text>
          ))}
        </g>
      ))}
    </>
  );
}

/** The guard stands out from the event: of two labels with the same event it is what differs. */
function RowWords({ row }: Readonly<{ row: string }>) {
  const at = row.indexOf('[');
  if (at === -1) return <>{row}</>;
  return (
    <>
      {row.slice(0, at)}
      <tspan class="chart-guard">{row.slice(at)}</tspan>
    </>
  );
}
