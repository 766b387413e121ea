/** How much of one file was run. */
export type FileCoverage = Readonly<{ path: string; lines: Share; branches: Share }>;
type Share = Readonly<{ covered: number; total: number }>;

/** A line for each room of `src` and one for all of it, in per cent: what is not reached by any test shows in the last two columns. */
export function roomTable(files: readonly FileCoverage[]): string {
  const rooms = Map.groupBy(files, ({ path }) => /(?:^|\/)src\/([^/]+)/.exec(path)?.[1] ?? path);
  const rows = [...rooms]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([room, inIt]) => row(`src/${room}`, inIt));
  return [
    'room             files   lines  branches   lines and branches that no test reaches',
    ...rows,
    row('src', files),
  ].join('\n');
}

function row(name: string, files: readonly FileCoverage[]): string {
  const lines = sum(files.map((file) => file.lines));
  const branches = sum(files.map((file) => file.branches));
  const left = `${lines.total - lines.covered}`.padStart(6) + `${branches.total - branches.covered}`.padStart(7);
  return `${name.padEnd(17)}${`${files.length}`.padStart(5)}${percent(lines)}${percent(branches).padStart(10)}${left}`;
}

function sum(shares: readonly Share[]): Share {
  return shares.reduce((all, { covered, total }) => ({ covered: all.covered + covered, total: all.total + total }), {
    covered: 0,
    total: 0,
  });
}

/** Rounded down: 100.0 means all. */
function percent({ covered, total }: Share): string {
  const tenths = total === 0 ? 1_000 : Math.floor((1_000 * covered) / total);
  return (tenths / 10).toFixed(1).padStart(8);
}
