import type { ScreenSize } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import {
  piece,
  wrappedLines,
  type PaintedLine,
  type Piece,
  type Tone,
} from 'dependency-watchdog/commands/terminal/painted-line.ts';

/** An entry of the timeline. Without a shoot it is about the whole seed. */
export type TimelineEntry = Readonly<{ at: Instant; shoot?: ShootNamespace | undefined; text: string; tone: Tone }>;

export type StoryScreen = Readonly<{
  startedAt: Instant;
  now: Instant;
  /** Shown after the time that has passed: `s simulated, clock ×3.8   --seed=7`. */
  title: string;
  /** A sentence about the present phase. */
  phase: Piece;
  /** How many lines the table has apart from its rows. */
  tableFrame: number;
  /** `room` is how many lines there are for rows, at least 1. */
  table: (room: number, width: number) => readonly PaintedLine[];
  timeline: readonly TimelineEntry[];
}>;

/** Narrower than this, names lose what all of them begin with, and lines that would be cut go on below. */
const narrow = 64;

/** A shoot's name, as far as there is room: `01` for `shoot--demo--01`. */
export function nameFor(shoot: string, columns: number): string {
  return columns < narrow ? shoot.replace(/^(.*--|unwatched )/, '') : shoot;
}

/** The timeline keeps at least so many lines, even if the rows could use them. */
const leastTimeline = 4;

/** Title, phase, and an empty line before the table and before the timeline. */
const otherLines = 4;

/**
 * What the terminal shows at an instant: the present state, and below it the latest events. There are never more lines
 * than rows, less one for the cursor. Lines may be longer than the screen is wide.
 */
export function storyScreen(view: StoryScreen, { columns, rows }: ScreenSize): readonly PaintedLine[] {
  const { startedAt, now, title, phase, tableFrame, table, timeline } = view;
  const height = Math.max(1, rows - 1);
  const isNarrow = columns < narrow;
  const name = isNarrow ? [] : [piece('dependency-watchdog simulate', 'bold'), piece('   ')];
  const phases = isNarrow ? wrappedLines(phase.text, columns, phase.tone) : [[phase]];
  const others = otherLines + phases.length - 1;
  const above: readonly PaintedLine[] = [
    [...name, piece(`${((now - startedAt) / 1_000).toFixed(1)} ${title}`)],
    ...phases,
    [],
    ...table(Math.max(1, height - others - tableFrame - leastTimeline), columns),
    [],
  ];
  const left = Math.max(0, height - above.length);
  const latest = left === 0 ? [] : timeline.slice(-left).flatMap((entry) => timelineLines(entry, startedAt, columns));
  return [...above, ...latest.slice(-left)].slice(0, height);
}

/** `  61.2 s  shoot--demo--01  cut off: …`; times count from the start. */
export function timelineLine({ at, shoot, text, tone }: TimelineEntry, startedAt: Instant): PaintedLine {
  return [...timelineHead({ at, shoot }, startedAt), piece(text, tone)];
}

function timelineHead(
  { at, shoot }: Pick<TimelineEntry, 'at' | 'shoot'>,
  startedAt: Instant,
  columns = Infinity,
): PaintedLine {
  const time = `${((at - startedAt) / 1_000).toFixed(1).padStart(7)} s  `;
  return [piece(time, 'dim'), ...(shoot === undefined ? [] : [piece(`${nameFor(shoot, columns)}  `)])];
}

/** With less room than this beside its time and name, the text of an entry stands below them. */
const leastText = 24;
const belowIndent = 2;

/** The same, in lines that are no wider than the screen. Those after the first begin below the text. */
function timelineLines(entry: TimelineEntry, startedAt: Instant, columns: number): readonly PaintedLine[] {
  const head = timelineHead(entry, startedAt, columns);
  const beside = head.reduce((sum, { text }) => sum + text.length, 0);
  const isBelow = columns - beside < leastText;
  const indent = isBelow ? belowIndent : beside;
  const lines = broken(entry.text, Math.max(1, columns - indent));
  const [first = '', ...rest] = isBelow ? ['', ...lines] : lines;
  return [
    [...head, piece(first, entry.tone)],
    ...rest.map((text) => [piece(' '.repeat(indent)), piece(text, entry.tone)]),
  ];
}

/** Breaks a text between words. A word that is wider than the screen has a line of its own. */
function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
