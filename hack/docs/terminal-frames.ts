import type { Terminal } from '../../src/commands/terminal/terminal.ts';

/** Columns and rows of the terminal that is drawn. */
export const screen = { columns: 100, rows: 27 } as const;

/** A piece of a line, and the code of its colour as a terminal knows it: 0 is none. */
export type Inked = Readonly<{ text: string; ink: string }>;

/** What the terminal showed at a time of the story. */
export type Frame = Readonly<{ seconds: number; lines: readonly (readonly Inked[])[] }>;

/** A terminal that keeps each picture which `simulate` paints on it. The story's own time stands in the first line. */
export function keepingTerminal(keep: (frame: Frame) => void): Terminal {
  return {
    colours: true,
    size: () => ({ ...screen, rows: screen.rows + 1 }),
    onResize: () => () => {},
    onExit: () => () => {},
    write(text) {
      const lines = text.split('\n').slice(0, -1).map(inkedLine);
      const seconds = /([\d.]+) s simulated/.exec(plainText(lines[0] ?? []))?.[1];
      if (seconds !== undefined) keep({ seconds: Number(seconds), lines });
    },
  };
}

export function plainText(line: readonly Inked[]): string {
  return line.map(({ text }) => text).join('');
}

/** Moves of the cursor are dropped: each picture is painted whole. */
function inkedLine(line: string): readonly Inked[] {
  let ink = '0';
  return line.split('\u001b[').flatMap((part, index) => {
    if (index === 0) return part.trim() === '' ? [] : [{ text: part, ink }];
    const [, code = '', letter = '', text = ''] = /^([\d?]*)([A-Za-z])(.*)$/s.exec(part) ?? [];
    if (letter === 'm') ink = code;
    return text === '' ? [] : [{ text, ink }];
  });
}
