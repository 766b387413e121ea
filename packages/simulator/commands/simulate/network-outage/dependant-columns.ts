import { gap, initialsOf } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';

/** A column for one dependant, or for all those that do not fit. */
export type DependantColumn = Readonly<{ title: string; width: number; keys: readonly DependantKey[] }>;

/** The dependants' columns, and what their titles stand for if they are initials. */
export type DependantColumns = Readonly<{
  columns: readonly DependantColumn[];
  legend: readonly Readonly<{ title: string; name: string }>[];
}>;

/** `2→0 (2)`: ready, wanted, recorded. */
const cellWidth = 7;

/** Fits the dependants into `width` columns: with their names, else with initials, else only the first ones. */
export function columnsFor(keys: readonly DependantKey[], width: number): DependantColumns {
  const named = keys.map((key) => column(shortName(key), [key]));
  if (widthOf(named) <= width) return { columns: named, legend: [] };

  const titles = initialsOf(keys.map(shortName));
  const short = keys.map((key, index) => column(titles[index] ?? '', [key]));
  const legend = keys.map((key, index) => ({ title: titles[index] ?? '', name: shortName(key) }));
  if (widthOf(short) <= width) return { columns: short, legend };

  const room = Math.max(0, Math.floor(width / (cellWidth + gap)) - 1);
  const rest = column(`+${keys.length - room}`, keys.slice(room));
  return { columns: [...short.slice(0, room), rest], legend: legend.slice(0, room) };
}

function column(title: string, keys: readonly DependantKey[]): DependantColumn {
  return { title, width: Math.max(cellWidth, title.length), keys };
}

/** With a gap after each of them. */
export function widthOf(columns: readonly DependantColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width + gap, 0);
}
