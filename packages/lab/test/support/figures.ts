import { appendFileSync } from 'node:fs';

/** A line of the table that is printed at the end of a run. */
export type Figure = Readonly<{ what: string; is: string; atMost?: string }>;

/** Notes what was measured, for the table, in a file that all tests of the run share. */
export function noteIn(file: string, figure: Figure): void {
  appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** The noted lines as a table of Markdown. */
export function figureLines(of: string, noted: string): readonly string[] {
  const figures = noted.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Figure]));
  if (figures.length === 0) return [];
  return [
    `| ${of} | measured | at most |`,
    '|---|---|---|',
    ...figures.map(({ what, is, atMost = '' }) => `| ${what} | ${is} | ${atMost} |`),
  ];
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
export const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;
