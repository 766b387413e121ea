import {
  arrowRows,
  headPoints,
  letters,
  linePath,
  placeLabel,
  shortLabel,
  shortLetters,
  topOfLabel,
  type Arrow,
  type Box,
  type DrawnEdge,
  type DrawnRegion,
} from '../../model/charts/chart-model.ts';

/** What the shown turn made of a transition: it took it, it asked its guard in vain, or nothing. */
export type Look = 'taken' | 'refused' | 'calm';

/** All transitions from one state to another, as a line. */
export function EdgePicture({ edge: { path }, look }: Readonly<{ edge: DrawnEdge; look: Look }>) {
  const line = linePath(path);
  return (
    <>
      <path class="chart-reach" d={line} />
      <path class="chart-line" d={line} />
      <polygon class="chart-head" points={headPoints(path, look === 'taken' ? 1.4 : 1)} />
    </>
  );
}

/** Its words: in a large chart for each transition, in a small one `short`. Who hears the page is told by the line itself. */
export function EdgeLabel(
  props: Readonly<{
    edge: DrawnEdge;
    look: Look;
    lookOf: (arrow: Arrow) => Look;
    short: ShortLabel | undefined;
    part: number;
  }>,
) {
  const {
    edge: { label, arrows },
    look,
    lookOf,
    short,
    part,
  } = props;
  if (short !== undefined)
    return (
      <g class={`chart-short chart-label-${look}`} aria-hidden="true" data-part={part}>
        <rect class="chart-label-ground" x={short.x} y={short.y} width={short.width} height={short.height} />
        <text x={short.x + short.width / 2} y={short.y + short.height - shortLetters.gap - 1}>
          {short.words}
        </text>
      </g>
    );
  if (label === undefined) return null;
  return (
    <g aria-hidden="true" data-part={part}>
      <rect class="chart-label-ground" {...label} />
      {arrows.map((arrow, index) => (
        <g key={index} class={`chart-label chart-label-${lookOf(arrow)}`}>
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

/** What a line of a small chart is called, and where; a large one keeps room for all names. */
export type ShortLabel = Box & Readonly<{ words: string }>;

/**
 * In a small chart only what the turn took, and what it asked in vain, is named: all names at once would be as large as the whole chart. By the place of the edge;
 * `edges`: what is named first comes last.
 */
export function shortLabels(
  drawn: DrawnRegion,
  edges: readonly Readonly<{ edge: DrawnEdge; place: number; look: Look }>[],
  lookOf: (arrow: Arrow) => Look,
): ReadonlyMap<number, ShortLabel> {
  const placed = new Map<number, ShortLabel>();
  for (const { edge, place, look } of edges.toReversed()) {
    const arrow = edge.arrows.find((one) => lookOf(one) === look);
    if (look === 'calm' || edge.label !== undefined || arrow === undefined) continue;
    const words = `${shortLabel(arrow)}${look === 'refused' ? '? no' : ''}`;
    const box = placeLabel(drawn, edge, words, [...placed.values()]);
    if (box !== undefined) placed.set(place, { ...box, words });
  }
  return placed;
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
