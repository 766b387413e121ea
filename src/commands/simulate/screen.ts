import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { piece, type PaintedLine } from './painted-line.ts';
import { shootTable } from './shoot-table.ts';
import type { SimulationModel } from './simulation-model.ts';
import { phaseWords, type TimelineEntry } from './timeline.ts';

export type ScreenSize = Readonly<{ columns: number; rows: number }>;

export type ScreenView = Readonly<{
  model: SimulationModel;
  timeline: readonly TimelineEntry[];
  now: Instant;
  /** Behind the time that has passed: `s simulated, clock ×3.8   --seed=7`. */
  title: string;
  grace: Millis;
  /** Of the shoot's oldest lease. */
  oldestRenewal: (shoot: ShootNamespace) => Instant | undefined;
}>;

/** The timeline keeps so many lines, where shoots would take all of them. */
const leastTimeline = 6;

/** Title, phase, and an empty line before the table and before the timeline; then the table's head and legend. */
const otherLines = 6;

/**
 * What the terminal shows at an instant: the shoots as they are, and below them what happened last. Never more lines
 * than rows, less one for the cursor; lines may be longer than the screen is wide.
 */
export function screenLines(view: ScreenView, { columns, rows }: ScreenSize): readonly PaintedLine[] {
  const { model, timeline, now, title, grace, oldestRenewal } = view;
  const height = Math.max(1, rows - 1);
  const head: readonly PaintedLine[] = [
    [
      piece('dependency-watchdog simulate', 'bold'),
      piece(`   ${((now - model.startedAt) / 1_000).toFixed(1)} ${title}`),
    ],
    [piece(phaseWords(model), model.phase === 'outage' ? 'warning' : 'good')],
    [],
  ];
  const table = shootTable({
    rows: [...model.rows.values()],
    width: columns,
    room: Math.max(1, height - otherLines - leastTimeline),
    now,
    grace,
    oldestRenewal,
  });
  const above = [...head, ...table, []];
  const left = Math.max(0, height - above.length);
  const latest = left === 0 ? [] : timeline.slice(-left);
  return [...above, ...latest.map((entry) => timelineLine(entry, model.startedAt))].slice(0, height);
}

/** `  61.2 s  shoot--demo--01  cut off: …`; times count from the start. */
export function timelineLine({ at, shoot, text, tone }: TimelineEntry, startedAt: Instant): PaintedLine {
  const time = `${((at - startedAt) / 1_000).toFixed(1).padStart(7)} s  `;
  return [piece(time, 'dim'), ...(shoot === undefined ? [] : [piece(`${shoot}  `)]), piece(text, tone)];
}
