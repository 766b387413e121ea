import type { Subscription } from 'rxjs';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { liveScreen, type Terminal } from './live-screen.ts';
import { lineText, type PaintedLine } from './painted-line.ts';
import { keptLines, runTitle } from './run-words.ts';
import { screenLines, timelineLine } from './screen.ts';
import type { SimulationModel } from './simulation-model.ts';
import type { RunOptions, Storyteller } from './storyteller.ts';
import { summaryLines } from './summary-lines.ts';
import { timelineEntries, type TimelineEntry } from './timeline.ts';

/** Between two pictures, in real time: often enough to look alive, and no burden. */
const paintEvery: Millis = 150;

/** No screen has more rows. */
const longestTimeline = 200;

/** Paints a run in a terminal while the story lasts; sums it up below, and then goes on in lines. `frames` is real time. */
export function liveStoryteller(options: RunOptions, terminal: Terminal, frames: Clock): Storyteller {
  const { clock, world, config } = options;
  const screen = liveScreen(terminal);
  const title = runTitle(options);
  const grace = config.kcmNodeMonitorGraceDuration;
  let timeline: readonly TimelineEntry[] = [];
  let model: SimulationModel | undefined;
  let isLive = true;
  let waiting: Subscription | undefined;

  const oldestRenewal = (shoot: ShootNamespace): Instant | undefined => {
    const renewals = world.leases(shoot).flatMap(({ renewedAt }) => renewedAt ?? []);
    return renewals.length === 0 ? undefined : Math.min(...renewals);
  };
  const paint = (): void => {
    if (model === undefined) return;
    const view = { model, timeline, now: clock.now(), title, grace, oldestRenewal };
    screen.paint(screenLines(view, terminal.size()));
  };
  const paintAgain = (at: Instant): void => {
    waiting = frames.wakeAt(at).subscribe((now) => {
      paint();
      paintAgain(now + paintEvery);
    });
  };
  const finish = (): void => {
    if (!isLive) return;
    isLive = false;
    waiting?.unsubscribe();
    paint();
    screen.end();
  };
  const write = (line: PaintedLine): void => {
    terminal.write(`${lineText(line, Infinity, terminal.colours)}\n`);
  };

  paintAgain(frames.now());
  return {
    saw({ before, seen, after }) {
      model = after;
      const entries = timelineEntries(before, seen, after);
      if (isLive) timeline = [...timeline, ...entries].slice(-longestTimeline);
      else for (const entry of entries) write(timelineLine(entry, after.startedAt));
    },
    summary(summary) {
      finish();
      summaryLines(summary, options).forEach(write);
    },
    kept: (kubeconfig) => keptLines(kubeconfig, options).forEach((line) => write([{ text: line, tone: 'plain' }])),
    end: finish,
  };
}
