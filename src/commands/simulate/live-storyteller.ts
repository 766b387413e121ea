import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { liveScreen, type Terminal } from './live-screen.ts';
import { lineText, type PaintedLine } from './painted-line.ts';
import { timelineLine } from './story-screen.ts';
import type { SeenStory, StoryWords } from './story-words.ts';
import type { Storyteller } from './storyteller.ts';
import type { TimelineEntry } from './timeline.ts';

/** Between two pictures, in real time: often enough to look alive, and no burden. */
const paintEvery: Millis = 150;

/** No screen has more rows. */
const longestTimeline = 200;

/** Paints a run in a terminal while the story lasts; sums it up below, and then goes on in lines. `frames` is real time. */
export function liveStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  terminal: Terminal,
  frames: Clock,
): Storyteller<Seen, Summary> {
  const screen = liveScreen(terminal);
  let timeline: readonly TimelineEntry[] = [];
  let latest: Seen | undefined;
  let isLive = true;
  let waiting: Subscription | undefined;

  const paint = (): void => {
    if (latest !== undefined) screen.paint(words.picture(latest, timeline, terminal.size()));
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
    saw(seen) {
      latest = seen;
      const entries = words.entries(seen);
      if (isLive) timeline = [...timeline, ...entries].slice(-longestTimeline);
      else for (const entry of entries) write(timelineLine(entry, seen.after.startedAt));
    },
    summary(summary) {
      finish();
      words.summary(summary).forEach(write);
    },
    kept: (kubeconfig) => words.kept(kubeconfig).forEach((line) => write([{ text: line, tone: 'plain' }])),
    end: finish,
  };
}
