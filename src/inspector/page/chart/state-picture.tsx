import type { Stay } from '../../told/charts/chart-model.ts';
import type { Box, DrawnState } from '../../told/charts/drawn-chart.ts';

/** In CSS pixels: a state that is as high has room for the name of an event. */
const twoRows = 36;

/** A state. The active one has a mark before its name, and a sign where something was done in it without leaving it. */
export function StatePicture({
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
export function AnyStatePicture({ box: { x, y, width, height } }: Readonly<{ box: Box }>) {
  return (
    <g class="chart-any-state" role="img" aria-label="any state">
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx={height / 2} />
      <text class="chart-any-state-name" x={x + width / 2} y={y + height / 2 + 4}>
        any state
      </text>
    </g>
  );
}
