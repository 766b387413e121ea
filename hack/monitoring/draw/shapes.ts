export type Box = Readonly<{ x: number; y: number; width: number; height: number }>;

/** By the names that Grafana gives them. */
export const colours: Readonly<Record<string, string>> = {
  green: '#56a64b',
  yellow: '#e0b400',
  orange: '#ff780a',
  red: '#e02f44',
  blue: '#3274d9',
  gray: '#8e8e8e',
};

/** Of lines, one after the other. */
const palette = [
  '#56a64b',
  '#e0b400',
  '#3274d9',
  '#ff780a',
  '#e02f44',
  '#a352cc',
  '#5ab1c8',
  '#b8877a',
  '#8ab8ff',
  '#8e8e8e',
];

export function colourOf(index: number): string {
  return palette[index % palette.length] ?? '#8e8e8e';
}

type TextOptions = Readonly<{ kind?: string; anchor?: 'start' | 'middle' | 'end'; width?: number; size?: number }>;

/** A line of text, cut where it would be wider than `width`. */
export function text(
  x: number,
  y: number,
  words: string,
  { kind, anchor, width, size = 11 }: TextOptions = {},
): string {
  const shown = width === undefined ? words : cut(words, width, size);
  const attributes = [
    `x="${place(x)}" y="${place(y)}"`,
    ...(kind === undefined ? [] : [`class="${kind}"`]),
    ...(anchor === undefined || anchor === 'start' ? [] : [`text-anchor="${anchor}"`]),
    ...(size === 11 ? [] : [`font-size="${size}"`]),
  ];
  return `<text ${attributes.join(' ')}>${escaped(shown)}</text>`;
}

export function rect({ x, y, width, height }: Box, fill: string, more = ''): string {
  return `<rect x="${place(x)}" y="${place(y)}" width="${place(Math.max(0, width))}" height="${place(Math.max(0, height))}" fill="${fill}"${more}/>`;
}

/** A letter, in parts of its height, in a wide font. */
const widest = 0.61;

/** What a line of text takes: there is no font to measure with, and the picture must be the same everywhere. */
export function widthOf(words: string, size = 11): number {
  return words.length * size * widest;
}

function cut(words: string, width: number, size: number): string {
  const most = Math.max(1, Math.floor(width / (size * widest)));
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}

export function place(value: number): string {
  return String(Number(value.toFixed(1)));
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
