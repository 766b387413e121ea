import type { Stay } from '../../told/charts/chart-model.ts';
import type { Box, DrawnState } from '../../told/charts/drawn-chart.ts';

/** A state; the active one has a mark before its name, and says what was done in it without leaving it. */
export function StatePicture({
  state: { name, x, y, width, height },
  initial,
  active,
  stays,
}: Readonly<{ state: DrawnState; initial: boolean; active: boolean; stays: readonly Stay[] }>) {
  const [stay] = stays;
  const [middle, half] = [x + width / 2, y + height / 2];
  return (
    <g
      class={active ? 'chart-state chart-active' : 'chart-state'}
      role="img"
      aria-label={active ? `${name}, the active state` : name}
    >
      {initial ? (
        <>
          <circle class="chart-start" cx={x - 18} cy={half} r="3.5" />
          <path class="chart-line" d={`M${x - 18} ${half}H${x}`} />
        </>
      ) : null}
      <rect class="chart-box" x={x} y={y} width={width} height={height} rx="5" />
      {active ? <path class="chart-mark" d={`M${x + 8} ${y + 8}l7 5l-7 5z`} /> : null}
      <text class="chart-state-name" x={middle} y={stay === undefined ? half + 4 : y + 16}>
        {name}
      </text>
      {stay === undefined ? null : (
        <text class="chart-stay" x={middle} y={y + 29}>
          ↻ {stay.event}
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
