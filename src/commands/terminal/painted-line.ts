import { wrap } from '../command.ts';
import { terminalLine } from '../../adapters/words/plain-words.ts';
import type { StandingState } from '../../domain/prober/standing.ts';

/** What a piece of text means to the reader. Without colours it is only text. */
export type Tone = 'plain' | 'dim' | 'bold' | 'good' | 'warning' | 'bad' | 'news';

/** A piece of text of one tone. */
export type Piece = Readonly<{ text: string; tone: Tone }>;

/** A line of the screen, from left to right. Every character of it is one column wide, and none is a control character. */
export type PaintedLine = readonly Piece[];

export function piece(text: string, tone: Tone = 'plain'): Piece {
  return { text: terminalLine(text), tone };
}

const codes: Readonly<Record<Tone, string>> = {
  plain: '',
  dim: '2',
  bold: '1',
  good: '32',
  warning: '33',
  bad: '31',
  news: '36',
};

/** The colours in which a terminal shows how a shoot stands. */
export const standingTones: Readonly<Record<StandingState, Tone>> = {
  unreadable: 'bad',
  cutOff: 'bad',
  scalingDown: 'bad',
  scaledDown: 'bad',
  scaledDownNotAnswering: 'bad',
  partlyScaledDown: 'warning',
  scalingUp: 'news',
  notAnswering: 'warning',
  scaledDownByOthers: 'warning',
  unprotected: 'bad',
  unjudged: 'bad',
  tooFew: 'dim',
  waiting: 'dim',
  leftAlone: 'dim',
  watched: 'good',
};

/** The text of a line, at most `width` columns wide. A line that had to be cut ends in `…`. */
export function lineText(line: PaintedLine, width: number, colours: boolean): string {
  const isCut = line.reduce((sum, { text }) => sum + text.length, 0) > width;
  let left = isCut ? width - 1 : width;
  let told = '';
  for (const { text, tone } of line) {
    const shown = text.slice(0, Math.max(0, left));
    left -= shown.length;
    told += colours && codes[tone] !== '' && shown !== '' ? `\u001b[${codes[tone]}m${shown}\u001b[0m` : shown;
  }
  return isCut && width > 0 ? `${told}…` : told.trimEnd();
}

export type ScreenSize = Readonly<{ columns: number; rows: number }>;

/** Blank columns between two columns of a table. */
export const gap = 2;

/** A cell of a table, with the gap after it. */
export function cellOf({ text, tone }: Piece, width: number): Piece {
  return { text: text.padEnd(width + gap), tone };
}

/** A text in as many lines as it needs. */
export function wrappedLines(text: string, width: number, tone: Tone = 'plain'): readonly PaintedLine[] {
  return wrap(terminalLine(text), 2, 0, width).map((line) => [{ text: line, tone }]);
}

/** What is less wide is not worth breaking words for. */
const leastWords = 24;
const bandIndent = 4;

/**
 * The rows of a table, each as the lines that it takes. The columns that do not fit beside the others go below them, in each row alike, and words
 * of the last one that are too many go on below, where they began.
 */
export function tableLines(rows: readonly (readonly Piece[])[], width: number): readonly (readonly PaintedLine[])[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.text.length ?? 0)));
  const bands = bandsOf(widths, width);
  return rows.map((row) =>
    bands.flatMap(({ from, to, indent, room }) => {
      const start = piece(' '.repeat(indent));
      const cells = row.slice(from, to).map((cell, index) => cellOf(cell, widths[from + index] ?? 0));
      const words = row[to - 1];
      if (words === undefined || room === undefined || words.text.length <= room) {
        const isBlank = indent > 0 && cells.every(({ text }) => text.trim() === '');
        return isBlank ? [] : [trimmedLine(indent === 0 ? cells : [start, ...cells])];
      }
      const [first = '', ...more] = wrap(words.text, 0, 0, room);
      const before = [...(indent === 0 ? [] : [start]), ...cells.slice(0, -1)];
      const below = before.reduce((sum, { text }) => sum + text.length, 0);
      const told = (text: string): Piece => ({ text, tone: words.tone });
      return [[...before, told(first)], ...more.map((text) => [piece(' '.repeat(below)), told(text)])];
    }),
  );
}

/** Columns that stand beside each other. `room`: of the last one of all. */
type Band = Readonly<{ from: number; to: number; indent: number; room?: number }>;

function bandsOf(widths: readonly number[], width: number): readonly Band[] {
  const bands: Band[] = [];
  let [from, indent, left] = [0, 0, width];
  widths.forEach((wanted, index) => {
    const isLast = index === widths.length - 1;
    const least = isLast ? Math.min(wanted, leastWords) : wanted;
    if (least > left && index > from) {
      bands.push({ from, to: index, indent });
      [from, indent, left] = [index, bandIndent, width - bandIndent];
    }
    if (isLast) bands.push({ from, to: index + 1, indent, ...(left < wanted ? { room: Math.max(left, 1) } : {}) });
    left -= wanted + gap;
  });
  return bands;
}

/** Without blanks at the end, which would make a line seem too long for the screen. */
export function trimmedLine(line: PaintedLine): PaintedLine {
  return line.map((one, index) => (index === line.length - 1 ? { ...one, text: one.text.trimEnd() } : one));
}

/** Initials are shorter than a cell such as `2→0 (2)`. */
const mostInitials = 6;

/** `kube-controller-manager` becomes `kcm`. Equal initials get a number. */
export function initialsOf(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    // A kind before the name is shown only in the legend.
    const letters = [...name.replace(/^.*\//, '').matchAll(/[a-z0-9]+/gi)]
      .map(([word]) => word[0] ?? '')
      .join('')
      .slice(0, mostInitials);
    const count = (seen.get(letters) ?? 0) + 1;
    seen.set(letters, count);
    return count === 1 ? letters : `${letters}${count}`;
  });
}
