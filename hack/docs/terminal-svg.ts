import { plainText, screen, type Frame, type Inked } from './terminal-frames.ts';

/** How long it plays, and how long its last picture then stands, in seconds. */
const plays = 20;
const stands = 4;
/** So many pictures a second: more would make the file larger, and show no more. */
const perSecond = 2;

const cell = { width: 7.8, height: 18 } as const;
const edge = 14;

/** Before the first picture. */
const blank: Frame = { seconds: 0, lines: [] };

/** A part of the screen that changes: which of its texts is seen at each picture. */
type Field = Readonly<{
  left: number;
  top: number;
  width: number;
  height: number;
  shown: readonly number[];
  strip: string;
}>;

/**
 * A film of a terminal as one SVG without a script. What a field shows in the course of time stands in a strip, one text below the other, and
 * fields with the same texts share one; a style moves the strip behind its window. `poster` is the second of the story at which it stands still
 * for readers who want no motion.
 */
export function terminalSvg(
  frames: readonly Frame[],
  { title, from, poster }: Readonly<{ title: string; from: number; poster: number }>,
): string {
  const end = frames.at(-1)?.seconds ?? 0;
  const count = plays * perSecond;
  const times = Array.from({ length: count + 1 }, (_, index) => from + ((end - from) * index) / count);
  const pictures = times.map((time) => frames.findLast(({ seconds }) => seconds <= time) ?? blank);
  const still = Math.max(
    0,
    times.findLastIndex((time) => time <= poster),
  );
  const strips = new Map<string, string>();
  const fields = fieldsOf(pictures, strips);
  const [width, height] = [screen.columns * cell.width + 2 * edge, screen.rows * cell.height + 2 * edge];
  const drawn = fields.map((field, index) => drawField(field, index, still));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${title}</title>`,
    `<style>${style}`,
    ...drawn.map(({ rules }) => rules).filter((rules) => rules !== ''),
    '@media (prefers-reduced-motion:reduce){use{animation:none!important}}</style>',
    `<defs>${[...strips].map(([id, texts]) => `<g id="${id}">${texts}</g>`).join('\n')}</defs>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...drawn.map(({ element }) => element),
    '</svg>\n',
  ].join('\n');
}

const style = `
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
.page{fill:#f6f8fa}.b{font-weight:700}.d{fill:#59636e}.g{fill:#1a7f37}.y{fill:#9a6700}.r{fill:#cf222e}.c{fill:#0969da}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.d{fill:#9198a1}.g{fill:#3fb950}.y{fill:#d29922}.r{fill:#f85149}.c{fill:#58a6ff}}
use{animation:${plays + stands}s step-end infinite}`;

const classes: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };

/** The rows above the timeline, column by column, and the timeline as one field that scrolls. */
function fieldsOf(pictures: readonly Frame[], strips: Map<string, string>): readonly Field[] {
  const texts = pictures.map(({ lines }) => lines.map(plainText));
  const head = texts[0]?.findIndex((line) => /^shoot +state/.test(line)) ?? -1;
  const rest = texts[0]?.findIndex((line, index) => index > head && line.trim() === '') ?? -1;
  if (head < 0 || rest < 0) throw new Error('simulate paints no table any more');
  const columns = startsOf(texts[0]?.[head] ?? '');
  const fields: Field[] = [];
  for (let row = 0; row < rest; row += 1) {
    const ofTable = row >= head && texts.some((lines) => /^shoot-?/.test(lines[row] ?? ''));
    const starts = ofTable ? columns : row === 0 ? startsOf(texts[0]?.[0] ?? '') : [0];
    starts.forEach((start, index) => {
      const until = starts[index + 1] ?? screen.columns;
      const shown = pictures.map(({ lines }) => cut(lines[row] ?? [], start, until));
      fields.push(fieldOf(shown, { row, start, until, strips }));
    });
  }
  return [...fields, ...timelineOf(pictures, rest + 1, strips)];
}

/** Where the columns of a line begin: after two blanks or more. */
function startsOf(line: string): readonly number[] {
  return [...line.matchAll(/(?<=^|\s\s)\S/g)].map(({ index }) => index);
}

type Place = Readonly<{ row: number; start: number; until: number; strips: Map<string, string> }>;

function fieldOf(shown: readonly (readonly Inked[])[], { row, start, until, strips }: Place): Field {
  const keys = shown.map((pieces) => JSON.stringify(pieces));
  const own = [...new Set(keys)];
  const strip = stripOf(
    own.map((key) => JSON.parse(key) as readonly Inked[]),
    strips,
  );
  return {
    left: start * cell.width,
    top: row * cell.height,
    width: (until - start) * cell.width,
    height: cell.height,
    shown: keys.map((key) => own.indexOf(key)),
    strip,
  };
}

/** All lines of the timeline, one below the other, and a cover over those that are still to come. Once they fill their room, they scroll. */
function timelineOf(pictures: readonly Frame[], row: number, strips: Map<string, string>): readonly Field[] {
  const room = screen.rows - row;
  const all: (readonly Inked[])[] = [];
  const counts = pictures.map(({ lines }) => {
    for (const line of lines.slice(row)) if (!all.some((one) => plainText(one) === plainText(line))) all.push(line);
    return all.length;
  });
  const place = { left: 0, top: row * cell.height, width: screen.columns * cell.width, height: room * cell.height };
  strips.set('cover', `<rect class="page" width="${place.width}" height="${place.height}"/>`);
  return [
    { ...place, shown: counts.map((count) => Math.max(0, count - room)), strip: stripOf(all, strips) },
    { ...place, shown: counts.map((count) => -Math.min(count, room)), strip: 'cover' },
  ];
}

function stripOf(lines: readonly (readonly Inked[])[], strips: Map<string, string>): string {
  const texts = lines.map((line, index) => lineText(line, index)).join('');
  for (const [id, known] of strips) if (known === texts) return id;
  const id = `s${strips.size}`;
  strips.set(id, texts);
  return id;
}

/** A text that another follows is told its width: not every font has all of these characters in one width. */
function lineText(line: readonly Inked[], index: number): string {
  const y = index * cell.height + 13;
  let column = 0;
  return line
    .map(({ text, ink }, place) => {
      const left = column + text.length - text.trimStart().length;
      column += text.length;
      const shown = text.trim();
      if (shown === '') return '';
      const tone = classes[ink] === undefined ? '' : ` class="${classes[ink]}"`;
      const width = place === line.length - 1 ? '' : ` textLength="${round(shown.length * cell.width)}"`;
      return `<text x="${round(left * cell.width)}" y="${y}"${width}${tone}>${escaped(shown)}</text>`;
    })
    .join('');
}

function drawField(
  { left, top, width, height, shown, strip }: Field,
  index: number,
  still: number,
): Readonly<{ rules: string; element: string }> {
  const place = `x="${round(left + edge)}" y="${top + edge}" width="${round(width)}" height="${height}"`;
  const whole = shown.length - 1;
  const steps = shown.flatMap((line, at) =>
    at > 0 && line === shown[at - 1]
      ? []
      : [`${round(((at / whole) * plays * 100) / (plays + stands))}%{${moved(line)}}`],
  );
  if (steps.length === 1)
    return { rules: '', element: `<svg ${place}><use href="#${strip}" style="${moved(shown[0] ?? 0)}"/></svg>` };
  const rules = `#f${index}{${moved(shown[still] ?? 0)};animation-name:k${index}}\n@keyframes k${index}{${steps.join('')}}`;
  return { rules, element: `<svg ${place}><use id="f${index}" href="#${strip}"/></svg>` };
}

/** To this line of a strip. */
function moved(line: number): string {
  return `transform:translateY(${-line * cell.height}px)`;
}

/** The characters of a line from one column to another. */
function cut(line: readonly Inked[], start: number, until: number): readonly Inked[] {
  let column = 0;
  return line.flatMap(({ text, ink }) => {
    const from = column;
    column += text.length;
    const part = text.slice(Math.max(0, start - from), Math.max(0, until - from));
    return part === '' ? [] : [{ text: part, ink }];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
