/** One small chart: what is measured against what grows. */
type Panel = Readonly<{
  title: string;
  horizontal: string;
  points: readonly Readonly<{ x: number; y: number }>[];
  /** How a value on the upright axis is written. */
  words: (value: number) => string;
}>;

const panelSize = { width: 430, height: 250 } as const;
const margin = { left: 62, right: 28, top: 44, bottom: 46 } as const;
const plot = {
  width: panelSize.width - margin.left - margin.right,
  height: panelSize.height - margin.top - margin.bottom,
} as const;

/** Readers have light pages and dark ones. */
const style = `
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .title { font-size: 14px; font-weight: 600; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .line { fill: none; stroke: #0969da; stroke-width: 2; }
    .dot { fill: #0969da; }
    .page { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .grid { stroke: #3d444d; }
      .line { stroke: #58a6ff; }
      .dot { fill: #58a6ff; }
      .page { fill: #0d1117; }
    }`;

/** The figure of docs/performance.md: CPU and memory, against shoots and against nodes. */
export function growthSvg({ byShoots, byNodes, intervalSeconds }: Growth): string {
  const panels = [
    ...panelsOf(byShoots, 'shoots', `shoots of ${byShoots[0]?.nodes} nodes`),
    ...panelsOf(byNodes, 'nodes', `nodes in each of ${byNodes[0]?.shoots} shoots`),
  ];
  const [width, height] = [2 * panelSize.width, 2 * panelSize.height];
  const drawn = panels.map((panel, index) => {
    const [column, row] = [Math.floor(index / 2), index % 2];
    const place = `translate(${column * panelSize.width + margin.left} ${row * panelSize.height + margin.top})`;
    return `  <g transform="${place}">\n${panelLines(panel).join('\n')}\n  </g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `  <title>CPU and memory of the prober, while all shoots are healthy and probed every ${intervalSeconds} s</title>`,
    `  <style>${style}\n  </style>`,
    `  <rect class="page" width="${width}" height="${height}"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function panelsOf(points: readonly GrowthPoint[], grows: 'shoots' | 'nodes', horizontal: string): readonly Panel[] {
  const against = (pick: (point: GrowthPoint) => number) => points.map((one) => ({ x: one[grows], y: pick(one) }));
  return [
    {
      title: 'CPU, per cent of one core',
      horizontal,
      points: against(({ cores }) => cores * 100),
      words: (value) => `${value} %`,
    },
    {
      title: 'Memory, MiB',
      horizontal,
      points: against(({ mebibytes }) => mebibytes),
      words: String,
    },
  ];
}

function panelLines({ title, horizontal, points, words }: Panel): readonly string[] {
  const [across, upright] = [ticks(points.map(({ x }) => x)), ticks(points.map(({ y }) => y))];
  const left = (x: number): string => ((x / (across.at(-1) ?? 1)) * plot.width).toFixed(1);
  const top = (y: number): string => (plot.height - (y / (upright.at(-1) ?? 1)) * plot.height).toFixed(1);
  const path = points.map(({ x, y }) => `${left(x)},${top(y)}`).join(' ');
  return [
    `    <text class="title" x="0" y="-18">${title}</text>`,
    ...upright.flatMap((tick) => [
      `    <line class="grid" x1="0" x2="${plot.width}" y1="${top(tick)}" y2="${top(tick)}"/>`,
      `    <text x="-8" y="${top(tick)}" dy="4" text-anchor="end">${words(tick)}</text>`,
    ]),
    ...across.map((tick) => `    <text x="${left(tick)}" y="${plot.height + 18}" text-anchor="middle">${tick}</text>`),
    `    <text x="${plot.width / 2}" y="${plot.height + 36}" text-anchor="middle">${horizontal}</text>`,
    `    <polyline class="line" points="${path}"/>`,
    ...points.map(({ x, y }) => `    <circle class="dot" cx="${left(x)}" cy="${top(y)}" r="3"/>`),
  ];
}

/** From 0 to at least the largest value, in four or five even steps of 1, 2 or 5 times a power of ten. */
function ticks(values: readonly number[]): readonly number[] {
  const largest = Math.max(...values);
  const power = 10 ** Math.floor(Math.log10(largest / 4));
  const step = power * ([1, 2, 5, 10].find((one) => largest / (one * power) <= 5) ?? 10);
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}

/** What `packages/lab/bench/growth.ts` records. */
export type Growth = Readonly<{
  intervalSeconds: number;
  /** The nodes of each shoot stay as they are. */
  byShoots: readonly GrowthPoint[];
  /** The shoots stay. */
  byNodes: readonly GrowthPoint[];
}>;

/** Measured while all shoots are healthy. */
export type GrowthPoint = Readonly<{
  shoots: number;
  nodes: number;
  /** Of CPU. */
  cores: number;
  mebibytes: number;
  /** The event loop, p99. */
  millisLate: number;
}>;
