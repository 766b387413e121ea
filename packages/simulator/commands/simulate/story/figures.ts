import { headlineText, stepLines, type Headline } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { lineText, piece, wrappedLines, type PaintedLine } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { againLine, type RunOptions } from './story-run.ts';

/** `0.04 s`, `9.3 s`, `312 s`: only as many digits as are worth comparing. */
export function lengthText(length: Millis): string {
  const seconds = length / 1_000;
  const magnitude = Math.abs(seconds);
  return `${seconds.toFixed(magnitude < 2 ? 2 : magnitude < 200 ? 1 : 0)} s`;
}

/** The median and the worst of several figures. */
export type Spread = Readonly<{ median: number; worst: number }>;

export type Spreads<Name extends string> = Readonly<Partial<Record<Name, Spread>>>;

/** The median and the worst of each figure, over all that have it. A figure that nobody has is left out. */
export function spreads<Name extends string>(
  names: Readonly<Record<Name, 'greatest' | 'least'>>,
  of: readonly Readonly<Partial<Record<NoInfer<Name>, number>>>[],
): Spreads<Name> {
  const spread: { -readonly [Each in Name]?: Spread } = {};
  for (const name of Object.keys(names) as Name[]) {
    const sorted = of
      .map((one) => one[name])
      .filter((figure) => figure !== undefined)
      .toSorted((one, other) => (names[name] === 'greatest' ? one - other : other - one));
    const [median, worst] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
    if (median !== undefined && worst !== undefined) spread[name] = { median, worst };
  }
  return spread;
}

/** A length in seconds, to the millisecond. */
export function jsonSeconds(length: Millis): number {
  return Math.round(length) / 1_000;
}

type Lengths = Readonly<{ [name: string]: Millis | Lengths | undefined }>;

/** Lengths in seconds, also those within spreads. `suffix` is added to each name. */
export function jsonLengths(lengths: Lengths, suffix = ''): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(lengths).map(([name, one]) => [
      `${name}${suffix}`,
      typeof one === 'number' ? jsonSeconds(one) : one && jsonLengths(one),
    ]),
  );
}

/** Stands for a missing figure. */
const none = '-';

/** A length, or another figure, or the sign for a missing one. */
export function figure(value: number | undefined, show: (value: number) => string = lengthText): string {
  return value === undefined ? none : show(value);
}

/** With more shoots than this, only those with a problem are listed one by one. */
export const mostListed = 12;

/** The headline is no wider, wherever it goes. */
const widest = 80;

type SummaryParts = Readonly<{
  ok: boolean;
  table: readonly PaintedLine[];
  figures: readonly PaintedLine[];
  /** How far this machine may have distorted the figures. */
  honesty: readonly string[];
  missed: readonly string[];
  /** What else was wrong, one sentence each. */
  faults?: readonly string[];
  /** What the turns do not tell; empty where they tell all. */
  verdict: string;
  headline?: Headline;
  /** Of the terminal that it is for. */
  columns?: number;
}>;

/** The summary for people. */
export function summaryLines(
  { ok, table, figures, honesty, missed, faults = [], verdict, headline, columns = Infinity }: SummaryParts,
  options: Pick<RunOptions, 'seedNumber' | 'again'>,
): readonly PaintedLine[] {
  const told: readonly PaintedLine[] = [
    [],
    ...(table.length === 0 ? [] : [...table, []]),
    ...figures,
    [],
    ...honesty.map((line) => [piece(line, 'dim')]),
    ...[...missed.map((what) => `Not seen: ${what}.`), ...faults].map((line) => [piece(line, 'bad')]),
    ...(verdict === '' ? [] : [[piece(verdict, ok ? 'good' : 'bad')] satisfies PaintedLine]),
    ...(headline === undefined ? [] : headlineLines(headline, Math.min(columns, widest))),
  ];
  // What is to be typed again stays in one piece.
  return [...told.flatMap((line) => noWider(line, columns)), [piece(againLine(options), 'dim')]];
}

/** A line in as many as it needs; figures that do not fit beside their words stand below them. */
function noWider(line: PaintedLine, width: number): readonly PaintedLine[] {
  if (lineText(line, Infinity, false).trimEnd().length <= width) return [line];
  const [words, ...figures] = line;
  if (words === undefined) return [line];
  const below = figures.length === 0 ? [] : [[piece('    '), ...figures]];
  return [...wrappedLines(words.text.trimEnd(), width, words.tone), ...below];
}

function headlineLines(headline: Headline, width: number): readonly PaintedLine[] {
  const tone = headline.weight === 'bad' ? 'bad' : 'good';
  return [
    ...wrappedLines(headlineText(headline), width, tone),
    ...stepLines(headline).flatMap((line) => wrappedLines(`To do: ${line}`, width)),
  ];
}

/** Words, each as wide as a column. */
export function cells(words: readonly string[], width: number): string {
  const padded = words.map((word) => word.padEnd(width));
  return padded.join('').trimEnd();
}

/** The titles of columns of figures, and what they are of. */
export function titleLine(words: string, wordsWidth: number, titles: string): PaintedLine {
  return [piece(words.padEnd(wordsWidth), 'dim'), piece(titles, 'dim')];
}

/** Figures, and what they are of. */
export function figureLine(words: string, wordsWidth: number, figures: string): PaintedLine {
  return [piece(words.padEnd(wordsWidth)), piece(figures, 'bold')];
}

/** Why a story failed: how many shoots or control planes are how, and what else. */
export function failedWords(
  noun: string,
  faults: readonly (readonly [count: number, words: string])[],
  more = '',
): string {
  const told = faults.flatMap(([count, words]) => (count === 0 ? [] : [`${counted(count, noun)} ${words}`]));
  return `FAILED: ${[...told, ...(more === '' ? [] : [more])].join(', ') || 'the story did not go as planned'}.`;
}
