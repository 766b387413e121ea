import { arrowRows, letters, topOfLabel } from '../../told/charts/arrow-rows.ts';
import type { Arrow } from '../../told/charts/chart-model.ts';
import type { DrawnEdge } from '../../told/charts/drawn-chart.ts';
import { headPoints, linePath } from '../../told/charts/edge-line.ts';
import { reason } from '../../told/charts/lit-chart.ts';

type EdgePictureProps = Readonly<{
  edge: DrawnEdge;
  isTaken: (arrow: Arrow) => boolean;
  pointed: Arrow | undefined;
  onPoint: (arrow: Arrow | undefined) => void;
}>;

/** All transitions from one state to another: a line, and a label for each. */
export function EdgePicture({ edge: { path, label, arrows }, isTaken, pointed, onPoint }: EdgePictureProps) {
  const taken = arrows.some(isTaken);
  const looked = pointed !== undefined && arrows.includes(pointed);
  return (
    <g class={['chart-edge', taken ? 'chart-taken' : '', looked ? 'chart-looked' : ''].join(' ').trim()}>
      <path class="chart-line" d={linePath(path)} />
      <polygon class="chart-head" points={headPoints(path)} />
      <rect class="chart-label-ground" {...label} />
      {arrows.map((arrow, index) => (
        <g
          key={reason(arrow)}
          class={isTaken(arrow) ? 'chart-label chart-label-taken' : 'chart-label'}
          role="img"
          aria-label={`${arrow.from ?? 'any state'} to ${arrow.to} by ${reason(arrow)}${isTaken(arrow) ? ', taken' : ''}`}
          onMouseEnter={() => onPoint(arrow)}
          onMouseLeave={() => onPoint(undefined)}
        >
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
    </g>
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
