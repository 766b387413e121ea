import type { Measure } from './measure.ts';

/** What several runs of one measure came to, for one watchdog. */
export type Played = Readonly<{
  /** The mean of each figure over the runs, in the measure's order; undefined where no run gave it. */
  values: readonly (number | undefined)[];
  /** Why runs broke. */
  reasons: readonly string[];
}>;

/** Plays a measure in turns, ours and then the peer's, so that a machine that grows busy is so for both. */
export async function playInTurns(
  measure: Measure,
  commands: readonly [string, string],
  rounds: number,
): Promise<readonly [Played, Played]> {
  const runs: (readonly (number | undefined)[])[][] = [[], []];
  const reasons: string[][] = [[], []];
  for (let round = 0; round < rounds; round += 1)
    for (const [index, command] of commands.entries()) {
      try {
        runs[index]?.push(await measure.play(command));
      } catch (error) {
        reasons[index]?.push(error instanceof Error ? error.message : String(error));
      }
    }
  const played = (index: number): Played => ({
    values: measure.figures.map((_, figure) => mean((runs[index] ?? []).map((values) => values[figure]))),
    reasons: [...new Set(reasons[index])],
  });
  return [played(0), played(1)];
}

/** The lines of a table: each figure of ours, the peer's, and how many times ours the peer's is. */
export function tableLines(measure: Measure, [ours, peers]: readonly [Played, Played]): readonly string[] {
  const rows = measure.figures.map(({ what, unit }, index) => {
    const [own, other] = [ours.values[index], peers.values[index]];
    const ratio = own === undefined || other === undefined || own === 0 ? '–' : (other / own).toFixed(2);
    const cells = [cell(own), cell(other), ratio].map((text) => text.padStart(11)).join('');
    return `  ${`${what}, ${unit}`.padEnd(68)}${cells}`;
  });
  const why = [
    ...ours.reasons.map((reason) => `  ours: ${reason}`),
    ...peers.reasons.map((reason) => `  peer: ${reason}`),
  ];
  return [measure.name, ...rows, ...why];
}

/** The rows of the README's table that a measure has figures for, as Markdown: the peer's, and ours. */
export function readmeRows({ figures }: Measure, [ours, peers]: readonly [Played, Played]): readonly string[] {
  return figures.flatMap(({ readme }, index) => {
    if (readme === undefined) return [];
    const [peer, own] = [peers, ours].map(({ values }) => values[index]);
    const cells = [peer, own].map((value) => (value === undefined ? '–' : readme.write(value)));
    return [`| ${[readme.row, ...cells].join(' | ')} |`];
  });
}

/** Three digits that count are enough. */
function cell(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as readonly number[];
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}
