import type { Instant } from '../../domain/time.ts';
import { piece, type PaintedLine, type Piece } from './painted-line.ts';
import type { TimelineEntry } from './timeline.ts';

export type ScreenSize = Readonly<{ columns: number; rows: number }>;

export type StoryScreen = Readonly<{
  startedAt: Instant;
  now: Instant;
  /** Behind the time that has passed: `s simulated, clock ×3.8   --seed=7`. */
  title: string;
  /** What the present phase is about. */
  phase: Piece;
  /** How many lines the table has beside its rows. */
  tableFrame: number;
  /** `room`: lines that there are for rows, at least 1. */
  table: (room: number, width: number) => readonly PaintedLine[];
  timeline: readonly TimelineEntry[];
}>;

/** The timeline keeps so many lines, where rows would take all of them. */
const leastTimeline = 6;

/** Title, phase, and an empty line before the table and before the timeline. */
const otherLines = 4;

/**
 * What the terminal shows at an instant: how everything stands, and below it what happened last. Never more lines
 * than rows, less one for the cursor; lines may be longer than the screen is wide.
 */
export function storyScreen(view: StoryScreen, { columns, rows }: ScreenSize): readonly PaintedLine[] {
  const { startedAt, now, title, phase, tableFrame, table, timeline } = view;
  const height = Math.max(1, rows - 1);
  const above: readonly PaintedLine[] = [
    [piece('dependency-watchdog simulate', 'bold'), piece(`   ${((now - startedAt) / 1_000).toFixed(1)} ${title}`)],
    [phase],
    [],
    ...table(Math.max(1, height - otherLines - tableFrame - leastTimeline), columns),
    [],
  ];
  const left = Math.max(0, height - above.length);
  const latest = left === 0 ? [] : timeline.slice(-left);
  return [...above, ...latest.map((entry) => timelineLine(entry, startedAt))].slice(0, height);
}

/** `  61.2 s  shoot--demo--01  cut off: …`; times count from the start. */
export function timelineLine({ at, shoot, text, tone }: TimelineEntry, startedAt: Instant): PaintedLine {
  const time = `${((at - startedAt) / 1_000).toFixed(1).padStart(7)} s  `;
  return [piece(time, 'dim'), ...(shoot === undefined ? [] : [piece(`${shoot}  `)]), piece(text, tone)];
}
