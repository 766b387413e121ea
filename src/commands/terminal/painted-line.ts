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
