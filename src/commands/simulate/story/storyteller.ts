import type { Subscription } from 'rxjs';
import { systemClock } from '../../../adapters/clock/wall-clock.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import { lineText, piece, type PaintedLine, type ScreenSize } from '../../terminal/painted-line.ts';
import { timelineLine, type TimelineEntry } from './screen.ts';
import { jsonSeconds } from './figures.ts';
import { placesJson, type Places } from './places.ts';
import type { Scene, StartedRun } from './story-run.ts';
import { liveScreen, type LiveScreen, type Terminal } from '../../terminal/terminal.ts';

/** Shows a run to somebody: on a screen, in lines, or in JSON. */
export type Storyteller<Seen extends SeenStory, Summary> = Readonly<{
  saw(seen: Seen): void;
  summary(summary: Summary): void;
  /** The seed stays up (`--keep`) after an outage: the first one, or another. */
  kept(isFirst: boolean): void;
  /** The storyteller writes nothing after this. */
  end(): void;
}>;

/** What a storyteller gets: an observation, and with it the model, which says from when times count. */
export type SeenStory = Readonly<{
  seen: Readonly<{ type: string; at: Instant }>;
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
  /** The seed stays up (`--keep`): that it does, and after the first outage what can be done with it. */
  kept: Readonly<{ goesOn: string; uses: () => readonly string[] }>;
}>;

/** How one story is told in JSON. Times and lengths are simulated seconds; `at` counts from the beginning. */
export type StoryJson<Seen, Summary> = Readonly<{
  begin: object;
  /** Of what was seen; undefined where it has no line. */
  fields(seen: Seen): object | undefined;
  summary(summary: Summary): object;
}>;

/** Picks how a story is shown: in JSON if the operator asked for that, on a live screen if there is a terminal, else in lines. */
export function chosenStoryteller<Seen extends SeenStory, Summary>(
  asJson: boolean,
  { io, terminal, colours = false }: Scene,
  { places }: Pick<StartedRun, 'places'>,
  ways: Readonly<{ json: () => StoryJson<Seen, Summary>; words: () => StoryWords<Seen, Summary> }>,
): Storyteller<Seen, Summary> {
  const out = (line: string) => io.out(line);
  if (asJson) return jsonStoryteller(ways.json(), places, out);
  if (terminal === undefined) return lineStoryteller(ways.words(), colours, out);
  return liveStoryteller(ways.words(), terminal, systemClock);
}

/** Writes a run as lines of JSON, each with a `kind`: `places`, `begin`, what happens, `summary`, `kept`. A turn is a `state`. */
function jsonStoryteller<Seen extends SeenStory, Summary>(
  { begin, fields, summary }: StoryJson<Seen, Summary>,
  places: Places,
  out: (line: string) => void,
): Storyteller<Seen, Summary> {
  const tell = (kind: string, line: object) => out(JSON.stringify({ kind, ...line }));
  tell('places', placesJson(places));
  tell('begin', begin);
  return {
    saw(seen) {
      const { type, at } = seen.seen;
      const own = fields(seen);
      if (own !== undefined)
        tell(type === 'turn' ? 'state' : type, { at: jsonSeconds(at - seen.after.startedAt), ...own });
    },
    summary: (summed) => tell('summary', summary(summed)),
    kept: () => tell('kept', { kubeconfig: places.kubeconfig }),
    end: () => undefined,
  };
}

/** What can be done with a seed that stays up is said once. How it goes on comes last, where the reader looks. */
function keptLines({ kept }: Pick<StoryWords<never, never>, 'kept'>, isFirst: boolean): readonly string[] {
  return ['', ...(isFirst ? [...kept.uses(), ''] : []), kept.goesOn, ''];
}

/** Prints a run in plain lines while it goes on. */
function lineStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  colours: boolean,
  out: (line: string) => void,
): Storyteller<Seen, Summary> {
  const write = (line: PaintedLine) => out(lineText(line, Infinity, colours));
  for (const line of [...words.beginning, ...words.places, '']) out(line);
  return {
    saw(seen) {
      for (const entry of words.entries(seen)) write(timelineLine(entry, seen.after.startedAt));
    },
    summary: (summary) => words.summary(summary).forEach(write),
    kept: (isFirst) => keptLines(words, isFirst).forEach((line) => out(line)),
    end: () => undefined,
  };
}

/** The time between two pictures, in real time. It is short enough to look alive, and costs little. */
const paintEvery: Millis = 150;

/** No screen has more rows than this. */
const longestTimeline = 200;

/** Paints a run in a terminal while an outage lasts. Then it prints the summary below, and goes on in lines until the next one. `frames` is real time. */
function liveStoryteller<Seen extends SeenStory, Summary>(
  words: StoryWords<Seen, Summary>,
  terminal: Terminal,
  frames: Clock,
): Storyteller<Seen, Summary> {
  let screen: LiveScreen | undefined;
  let timeline: readonly TimelineEntry[] = [];
  let latest: Seen | undefined;
  let waiting: Subscription | undefined;

  const paint = (): void => {
    if (latest !== undefined) screen?.paint(words.picture(latest, timeline, screen.room()));
  };
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
    saw(seen) {
      latest = seen;
      const entries = words.entries(seen);
      // Another outage begins.
      if (screen === undefined && seen.seen.type === 'phase') begin();
      if (screen !== undefined) timeline = [...timeline, ...entries].slice(-longestTimeline);
      else for (const entry of entries) write(timelineLine(entry, seen.after.startedAt));
    },
    summary(summary) {
      finish();
      words.summary(summary).forEach(write);
    },
    kept: (isFirst) => keptLines(words, isFirst).forEach((line) => write([piece(line)])),
    end: finish,
  };
}
