import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { piece, type PaintedLine } from './painted-line.ts';
import { shootTable } from './shoot-table.ts';
import type { SimulationModel } from './simulation-model.ts';
import { storyScreen, type ScreenSize } from './story-screen.ts';
import { phaseWords, type TimelineEntry } from './timeline.ts';

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

/** The table's head and legend. */
const tableFrame = 2;

/** What the terminal shows at an instant: the shoots as they are, and below them what happened last. */
export function screenLines(view: ScreenView, size: ScreenSize): readonly PaintedLine[] {
  const { model, timeline, now, title, grace, oldestRenewal } = view;
  const rows = [...model.rows.values()];
  return storyScreen(
    {
      startedAt: model.startedAt,
      now,
      title,
      phase: piece(phaseWords(model), model.phase === 'outage' ? 'warning' : 'good'),
      tableFrame,
      table: (room, width) => shootTable({ rows, width, room, now, grace, oldestRenewal }),
      timeline,
    },
    size,
  );
}
