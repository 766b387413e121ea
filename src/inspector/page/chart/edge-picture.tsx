import { arrowRows, letters, topOfLabel } from '../../told/charts/arrow-rows.ts';
import type { Arrow } from '../../told/charts/chart-model.ts';
import type { DrawnEdge } from '../../told/charts/drawn-chart.ts';
import { headPoints, linePath } from '../../told/charts/edge-line.ts';

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
export function EdgePicture({ edge, name, isTaken, pointed, isStop, onPoint, onStop }: EdgePictureProps) {
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
