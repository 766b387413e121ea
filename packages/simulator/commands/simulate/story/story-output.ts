import type { Subscription } from 'rxjs';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import {
  lineText,
  piece,
  type PaintedLine,
  type ScreenSize,
} from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { timelineLine, type TimelineEntry } from './screen.ts';
import { jsonSeconds } from './figures.ts';
import { placesJson, type Places } from './places.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import type { StoryEvent, Summed } from './story.ts';
import type { StorySurroundings } from './story-run.ts';
import { liveScreen, type LiveScreen, type Terminal } from 'dependency-watchdog/commands/terminal/terminal.ts';

/** Shows a run to somebody: on a screen, in lines, or in JSON. */
type StoryOutput = Readonly<{
  saw(event: StoryEvent): void;
  summary(summed: Summed): void;
  /** The seed stays up (`--keep`) after an outage: the first one, or another. */
  kept(isFirst: boolean): void;
  /** It does not: how to look why all was so. */
  over(why: readonly string[]): void;
  /** Nothing is written after this. */
  end(): void;
}>;

/** What is said of a story beside what happens in it. */
export type StoryWords = Readonly<{
  /** The fields of its first line of JSON. */
  begin: object;
  /** Printed before anything happens, when the run is shown in lines. */
  beginning: readonly string[];
  /** Printed before anything happens, in every case but JSON. */
  places: readonly string[];
  /** What the terminal shows now. */
  picture(timeline: readonly TimelineEntry[], size: ScreenSize): readonly PaintedLine[];
  /** The seed stays up (`--keep`): that it does, and after the first outage what can be done with it. */
  kept: Readonly<{ goesOn: string; uses: readonly string[] }>;
}>;

type BegunWords = StoryWords & Readonly<{ startedAt: Instant }>;

/** Picks how a story is shown: in JSON if the operator asked for that, on a live screen if there is a terminal, else in lines. */
export function chosenOutput(
  { json }: Pick<SimulateFlags, 'json'>,
  { io, terminal, colours = false }: StorySurroundings,
  places: Places,
  words: BegunWords,
): StoryOutput {
  if (json) return jsonOutput(words, places, (line) => io.out(line));
  if (terminal === undefined) return lineOutput(words, (line) => io.out(lineText(line, Infinity, colours), 'ours'));
  return liveOutput(words, terminal, systemClock);
}

/** Writes a run as lines of JSON, each with a `kind`: `places`, `begin`, what happens, `summary`, `kept`. Times and lengths are simulated seconds; `at` counts from the beginning. */
function jsonOutput({ begin, startedAt }: BegunWords, places: Places, out: (line: string) => void): StoryOutput {
  const write = (kind: string, line: object) => out(JSON.stringify({ kind, ...line }));
  write('places', placesJson(places));
  write('begin', begin);
  return {
    saw({ at, json }) {
      if (json === undefined) return;
      const { kind, ...fields } = json;
      write(kind, { at: jsonSeconds(at - startedAt), ...fields });
    },
    summary: ({ json }) => write('summary', json),
    kept: () => write('kept', { kubeconfig: places.kubeconfig }),
    over: () => undefined,
    end: () => undefined,
  };
}

/** What can be done with a seed that stays up is said once. How it goes on comes last, where the reader looks. */
function keptLines({ kept }: StoryWords, isFirst: boolean): readonly PaintedLine[] {
  return plainLines(['', ...(isFirst ? [...kept.uses, ''] : []), kept.goesOn, '']);
}

function plainLines(lines: readonly string[]): readonly PaintedLine[] {
  return lines.map((line) => [piece(line)]);
}

/** Prints a run in plain lines while it goes on. */
function lineOutput(words: BegunWords, write: (line: PaintedLine) => void): StoryOutput {
  for (const line of [...words.beginning, ...words.places, '']) write([piece(line)]);
  return {
    saw({ entries = [] }) {
      for (const entry of entries) write(timelineLine(entry, words.startedAt));
    },
    summary: ({ lines }) => lines.forEach(write),
    kept: (isFirst) => keptLines(words, isFirst).forEach(write),
    over: (why) => plainLines(why).forEach(write),
    end: () => undefined,
  };
}

/** The time between two pictures, in real time. It is short enough to look alive, and costs little. */
const paintEvery: Millis = 150;

/** No screen has more rows than this. */
const longestTimeline = 200;

/** Paints a run in a terminal while an outage lasts. Then it prints the summary below, and goes on in lines until the next one. `frames` is real time. */
function liveOutput(words: BegunWords, terminal: Terminal, frames: Clock): StoryOutput {
  let screen: LiveScreen | undefined;
  let timeline: readonly TimelineEntry[] = [];
  let waiting: Subscription | undefined;

  const paint = (): void => screen?.paint(words.picture(timeline, screen.room()));
  const paintAgain = (at: Instant): void => {
    waiting = frames.wakeAt(at).subscribe((now) => {
      paint();
      paintAgain(now + paintEvery);
    });
  };
  const begin = (): void => {
    screen = liveScreen(terminal, [...words.places, '']);
    timeline = [];
    paintAgain(frames.now());
  };
  const finish = (): void => {
    waiting?.unsubscribe();
    paint();
    screen?.end();
    screen = undefined;
  };
  const write = (line: PaintedLine): void => {
    terminal.write(`${lineText(line, Infinity, terminal.colours)}\n`);
  };

  begin();
  return {
    saw({ json, entries = [] }) {
      // Another outage begins.
      if (screen === undefined && json?.kind === 'phase') begin();
      if (screen !== undefined) timeline = [...timeline, ...entries].slice(-longestTimeline);
      else for (const entry of entries) write(timelineLine(entry, words.startedAt));
    },
    summary({ lines }) {
      finish();
      lines.forEach(write);
    },
    kept: (isFirst) => keptLines(words, isFirst).forEach(write),
    over: (why) => plainLines(why).forEach(write),
    end: finish,
  };
}
