import type { Subscription } from 'rxjs';
import { systemClock } from '../../../adapters/clock/wall-clock.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import { lineText, piece, timelineLine, type PaintedLine, type ScreenSize, type TimelineEntry } from './screen.ts';
import type { Scene } from './story-run.ts';
import { liveScreen, type Terminal } from './terminal.ts';

/** Shows a run to somebody: on a screen, in lines, or in JSON. */
export type Storyteller<Seen extends SeenStory, Summary> = Readonly<{
  saw(seen: Seen): void;
  summary(summary: Summary): void;
  /** The seed stays up after the story (`--keep`). */
  kept(): void;
  /** The storyteller writes nothing after this. */
  end(): void;
}>;

/** What a storyteller gets: an observation, and with it the model, which says from when times count. */
export type SeenStory = Readonly<{
  seen: Readonly<{ type: string }>;
  after: Readonly<{ startedAt: Instant; phase: string }>;
}>;

/** How one story is put into words for people. The storytellers know where the words go. */
export type StoryWords<Seen extends SeenStory, Summary> = Readonly<{
  /** Printed before anything happens, when the run is shown in lines. */
  beginning: readonly string[];
  /** Printed before anything happens, in every case. */
  places: readonly string[];
  entries(seen: Seen): readonly TimelineEntry[];
  /** What the terminal shows now, after the last observation. */
  picture(seen: Seen, timeline: readonly TimelineEntry[], size: ScreenSize): readonly PaintedLine[];
  summary(summary: Summary): readonly PaintedLine[];
  /** The seed stays up after the story (`--keep`). */
  kept(): readonly string[];
}>;

/** Picks how a story is shown: in JSON if the operator asked for that, on a live screen if there is a terminal, else in lines. */
export function chosenStoryteller<Seen extends SeenStory, Summary>(
  asJson: boolean,
  { io, terminal }: Scene,
  ways: Readonly<{
    json: (out: (line: string) => void) => Storyteller<Seen, Summary>;
    words: () => StoryWords<Seen, Summary>;
  }>,
): Storyteller<Seen, Summary> {
  const out = (line: string) => io.out(line);
  if (asJson) return ways.json(out);
  if (terminal === undefined) return lineStoryteller(ways.words(), out);
  return liveStoryteller(ways.words(), terminal, systemClock);
}

/** Prints a run in plain lines while it goes on. */
function lineStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  out: (line: string) => void,
): Storyteller<Seen, Summary> {
  const write = (line: PaintedLine) => out(lineText(line, Infinity, false));
  for (const line of [...words.beginning, ...words.places, '']) out(line);
  return {
    saw(seen) {
      for (const entry of words.entries(seen)) write(timelineLine(entry, seen.after.startedAt));
    },
    summary: (summary) => words.summary(summary).forEach(write),
    kept: () => words.kept().forEach((line) => out(line)),
    end: () => undefined,
  };
}

/** The time between two pictures, in real time. It is short enough to look alive, and costs little. */
const paintEvery: Millis = 150;

/** No screen has more rows than this. */
const longestTimeline = 200;

/** Paints a run in a terminal while the story lasts. Then it prints the summary below, and goes on in lines. `frames` is real time. */
function liveStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  terminal: Terminal,
  frames: Clock,
): Storyteller<Seen, Summary> {
  const screen = liveScreen(terminal, [...words.places, '']);
  let timeline: readonly TimelineEntry[] = [];
  let latest: Seen | undefined;
  let isLive = true;
  let waiting: Subscription | undefined;

  const paint = (): void => {
    if (latest !== undefined) screen.paint(words.picture(latest, timeline, screen.room()));
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
    kept: () => words.kept().forEach((line) => write([piece(line)])),
    end: finish,
  };
}
