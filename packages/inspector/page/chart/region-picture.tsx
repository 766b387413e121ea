import {
  arrowRows,
  letters,
  topOfLabel,
  headPoints,
  linePath,
  type Arrow,
  type Stay,
  type DrawnEdge,
  type DrawnRegion,
  type Box,
  type DrawnState,
} from '../../model/charts/chart-model.ts';
import { arrowWords, transitionKey, type LitRegion } from '../../model/charts/charts.ts';
import type { Kind } from '../../wire/wire.ts';

/** One region, as large as its place allows. `first`: the place of its first edge among those of all regions; `stop`: of the edge that the tabulator stops at. */
export function RegionPicture(
  props: Readonly<{ kind: Kind; drawn: DrawnRegion; lit: LitRegion | undefined; first: number; stop: number }>,
) {
  const { kind, drawn, lit, first, stop } = props;
  const took = new Set((lit?.arrows ?? []).map(transitionKey));
  const isTaken = (arrow: Arrow) => took.has(transitionKey(arrow));
  const edges = drawn.edges.map((edge, index) => ({ edge, index: first + index, taken: edge.arrows.some(isTaken) }));
  return (
    <svg
      class="chart-region"
      viewBox={`0 0 ${drawn.width} ${drawn.height}`}
      width={drawn.width}
      height={drawn.height}
      role="group"
      aria-label={lit?.words.join('; ')}
    >
      {drawn.name !== '' && (
        <text class="chart-name" x="4" y="16">
          {drawn.name}
        </text>
      )}
      {edges
        // What was taken is drawn last, so that no quiet line crosses it.
        .toSorted((one, other) => Number(one.taken) - Number(other.taken))
        .map(({ edge, index, taken }) => {
          const words = edgeWords(kind, edge).join('; ');
          return (
            <g
              key={index}
              class={taken ? 'chart-edge chart-taken' : 'chart-edge'}
              role="img"
              aria-label={taken ? `taken: ${words}` : words}
              tabindex={index === stop ? 0 : -1}
              data-edge={index}
            >
              <EdgePicture edge={edge} taken={taken} isTaken={isTaken} />
            </g>
          );
        })}
      {drawn.anyState !== null && <AnyStatePicture box={drawn.anyState} />}
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

/** What the transitions of an edge stand for, each in words. */
export function edgeWords(kind: Kind, { arrows }: DrawnEdge): readonly string[] {
  return arrows.map((arrow) => arrowWords(kind, arrow));
}

/** In CSS pixels: a state that is as high has room for the name of an event. */
const twoRows = 36;

/** A state. The active one has a mark before its name, and a sign where something was done in it without leaving it. */
function StatePicture(
  props: Readonly<{ state: DrawnState; initial: boolean; active: boolean; stays: readonly Stay[] }>,
) {
  const {
    state: { name, x, y, width, height },
    initial,
    active,
    stays: [stay],
  } = props;
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

/** All transitions from one state to another: a line, and in a large chart a label for each. */
function EdgePicture(props: Readonly<{ edge: DrawnEdge; taken: boolean; isTaken: (arrow: Arrow) => boolean }>) {
  const {
    edge: { path, label, arrows },
    taken,
    isTaken,
  } = props;
  const line = linePath(path);
  return (
    <>
      <path class="chart-reach" d={line} />
      <path class="chart-line" d={line} />
      <polygon class="chart-head" points={headPoints(path, taken ? 1.4 : 1)} />
      {label !== undefined && <rect class="chart-label-ground" {...label} />}
      {label !== undefined &&
        arrows.map((arrow, index) => (
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
