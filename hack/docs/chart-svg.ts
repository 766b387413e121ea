import {
  arrowRows,
  letters,
  topOfLabel,
  headPoints,
  linePath,
  type DrawnEdge,
  type DrawnRegion,
  type DrawnState,
} from '@dwd/inspector/model/charts/chart-model.ts';

/** Readers have light pages and dark ones. */
const style = `
    text { font: 14px system-ui, sans-serif; fill: #1f2328; text-anchor: middle; }
    .label { font: ${letters.size}px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #59636e; text-anchor: start; }
    .guard { fill: #1f2328; }
    .name { font-weight: 600; fill: #59636e; text-anchor: start; }
    .page { fill: #ffffff; }
    .state { fill: #f6f8fa; stroke: #59636e; }
    .any { fill: none; stroke: #59636e; stroke-dasharray: 3 3; }
    .line { fill: none; stroke: #59636e; }
    .head { fill: #59636e; }
    @media (prefers-color-scheme: dark) {
      text, .guard { fill: #e6edf3; }
      .label, .name { fill: #9198a1; }
      .page { fill: #0d1117; }
      .state { fill: #151b23; stroke: #9198a1; }
      .any, .line { stroke: #9198a1; }
      .head { fill: #9198a1; }
    }`;

const gap = 24;

/** A machine's chart as a picture for its page: the regions side by side. */
export function chartSvg(title: string, regions: readonly DrawnRegion[]): string {
  const width = regions.reduce((sum, region) => sum + region.width, (regions.length - 1) * gap);
  const height = Math.max(...regions.map((region) => region.height));
  let left = 0;
  const drawn = regions.map((region) => {
    const lines = [`  <g transform="translate(${left} 0)">`, ...regionLines(region), '  </g>'];
    left += region.width + gap;
    return lines.join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `  <title>${title}</title>`,
    `  <style>${style}\n  </style>`,
    `  <rect class="page" width="${width}" height="${height}"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function regionLines({ name, initial, states, anyState, edges }: DrawnRegion): readonly string[] {
  return [
    ...(name === '' ? [] : [`    <text class="name" x="4" y="16">${name}</text>`]),
    ...edges.flatMap(edgeLines),
    ...(anyState === null ? [] : stateLines({ ...anyState, name: 'any state' }, 'any')),
    ...states.flatMap((state) => [...(state.name === initial ? startLines(state) : []), ...stateLines(state, 'state')]),
  ];
}

function startLines({ x, y, height }: DrawnState): readonly string[] {
  const middle = y + height / 2;
  return [
    `    <circle class="head" cx="${x - 15}" cy="${middle}" r="3"/>`,
    `    <path class="line" d="M${x - 15} ${middle}H${x}"/>`,
  ];
}

function stateLines({ name, x, y, width, height }: DrawnState, look: 'state' | 'any'): readonly string[] {
  const radius = look === 'any' ? height / 2 : 5;
  return [
    `    <rect class="${look}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`,
    `    <text x="${x + width / 2}" y="${y + height / 2 + 4}">${name}</text>`,
  ];
}

function edgeLines({ path, label, arrows }: DrawnEdge): readonly string[] {
  const line = [
    `    <path class="line" d="${linePath(path)}"/>`,
    `    <polygon class="head" points="${headPoints(path)}"/>`,
  ];
  if (label === undefined) return line;
  const { x, y, width, height } = label;
  const rows = arrows.flatMap((arrow, index) =>
    arrowRows(arrow).map((row, nth) => {
      const bottom = y + topOfLabel(arrows, index) + (nth + 1) * letters.row - 1;
      return `    <text class="label" x="${x + letters.padding}" y="${bottom}">${row.replace(/\[.*/, '<tspan class="guard">$&</tspan>')}</text>`;
    }),
  );
  return [...line, `    <rect class="page" x="${x}" y="${y}" width="${width}" height="${height}"/>`, ...rows];
}
