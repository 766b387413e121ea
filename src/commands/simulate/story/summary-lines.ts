import { counted } from '../../../adapters/words/plain-words.ts';
import { piece, type PaintedLine } from '../../terminal/painted-line.ts';
import { againLine, type RunOptions } from './story-run.ts';

/** With more shoots than this, only those with a problem are listed one by one. */
export const mostListed = 12;

type SummaryParts = Readonly<{
  ok: boolean;
  table: readonly PaintedLine[];
  figures: readonly PaintedLine[];
  /** How far this machine may have distorted the figures. */
  honesty: readonly string[];
  missed: readonly string[];
  /** What else was wrong, one sentence each. */
  faults?: readonly string[];
  verdict: string;
}>;

/** The summary for people. */
export function summaryLines(
  { ok, table, figures, honesty, missed, faults = [], verdict }: SummaryParts,
  options: Pick<RunOptions, 'seedNumber' | 'again'>,
): readonly PaintedLine[] {
  return [
    [],
    ...(table.length === 0 ? [] : [...table, []]),
    ...figures,
    [],
    ...honesty.map((line) => [piece(line, 'dim')]),
    ...[...missed.map((what) => `Not seen: ${what}.`), ...faults].map((line) => [piece(line, 'bad')]),
    [piece(verdict, ok ? 'good' : 'bad')],
    [piece(againLine(options), 'dim')],
  ];
}

/** Words, each as wide as a column. */
export function cells(words: readonly string[], width: number): string {
  const padded = words.map((word) => word.padEnd(width));
  return padded.join('').trimEnd();
}

/** The titles of columns of figures, and what they are of. */
export function titleLine(words: string, wordsWidth: number, titles: string): PaintedLine {
  return [piece(words.padEnd(wordsWidth) + titles, 'dim')];
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
