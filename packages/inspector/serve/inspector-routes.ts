import type { EventStream } from './event-stream.ts';
import type { Reader, Reply, Route } from 'dependency-watchdog/adapters/http/http-server.ts';
import type { Upgrade } from 'dependency-watchdog/adapters/http/upgrades.ts';
import { JournalUnusable } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Episodes, Services, Shoots } from '../wire/wire.ts';
import { askedEpisodes, asksOnly, askedInstant, askedSpan, BadQuery, machinePath } from './queries.ts';
import { heldAnswers, readerLimits, readers, type ReaderHooks, type ReaderLimits } from './readers.ts';
import type { FoundTurns, History } from './history.ts';
import { machineStream, seedStream } from './streams.ts';
import { slicePieces } from './slice-pieces.ts';
import type { PageAssets } from './page-assets.ts';
import { kindsOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { machineJson, mermaidOf } from '../model/charts/chart-texts.ts';
import { statelyFeed, statelyFiles } from './stately-feed.ts';

export type InspectorRoutes = Readonly<{
  routes: Readonly<Record<string, Route>>;
  routeOf: (path: string) => Route | undefined;
  upgrades: Readonly<Record<string, Upgrade>>;
}>;

export type InspectorOptions = Readonly<{
  history: History;
  page: () => Promise<PageAssets>;
  /** In the time of the turns. */
  now: () => Instant;
  /** Real time, for what is told now and then. */
  pace: Clock;
  hooks?: ReaderHooks;
  /** A bug of ours, where no request is left to be answered with it. */
  onFault: (error: unknown) => void;
  limits?: ReaderLimits;
}>;

/** As many streams as there may be, and as many requests beside them. */
export const inspectorConnections = 2 * readerLimits.mostStreams;

const nobodyCounts: ReaderHooks = { onReaders: () => undefined, onRefused: () => undefined, onMissed: () => undefined };

/** Whatever is served: nothing from elsewhere is loaded, and no other page may show or read it. */
const guarding = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** The machines themselves: for XState and Stately's editor, and for Mermaid. */
const charts: Readonly<Record<string, Route>> = Object.fromEntries(
  kindsOf(machineJson).flatMap((kind) => [
    [`/charts/${kind}.json`, () => reply('application/json', `${machineJson[kind]}\n`)],
    [`/charts/${kind}.mmd`, () => reply('text/plain; charset=utf-8', mermaidOf(kind))],
  ]),
);

const statelyWords =
  "a WebSocket is served here, in the messages of Stately's inspector: ws://ADDRESS/stately?shoot=NAMESPACE, or ?service=NAMESPACE/NAME (docs/inspector.md)";

/** The page, and what it reads, as docs/inspector.md has it. */
export function inspectorRoutes(options: InspectorOptions): InspectorRoutes {
  const { history, page, now, pace, hooks = nobodyCounts, limits, onFault } = options;
  const opened = readers({ now, pace, hooks }, limits);
  const openSeed = seedStream(history, { readers: opened, now, pace });
  const answers = heldAnswers((limits ?? readerLimits).mostHeld);
  const openMachine = machineStream(history, opened, answers);
  const episodes = (only: 'outage' | 'recovery' | undefined) =>
    readable((query) => {
      const asked = askedEpisodes(query, now());
      const those = history.episodes
        .episodes()
        .filter((one) => (only === undefined || one.kind === only) && asked(one));
      return json({ now: now(), episodes: those } satisfies Episodes);
    });

  const refusedForNow = () => {
    hooks.onRefused();
    return plain(503, 'other readers have yet to take what they asked for; ask again soon');
  };

  return {
    routes: {
      '/': async (_, reader) => asset((await page()).html, reader),
      '/page.js': async (_, reader) => asset((await page()).script, reader),
      '/page.css': async (_, reader) => asset((await page()).style, reader),
      '/runbooks': async (_, reader) => asset((await page()).runbooks, reader),
      '/about': whole(() => history.about()),
      '/shoots': whole(() => ({ now: now(), shoots: history.rows().shoots }) satisfies Shoots),
      '/services': whole(() => ({ now: now(), services: history.rows().services }) satisfies Services),
      '/episodes': episodes(undefined),
      '/outages': episodes('outage'),
      '/recoveries': episodes('recovery'),
      '/events': () => events(openSeed()),
      ...charts,
      '/stately': () => plain(426, statelyWords),
    },
    routeOf(path) {
      const machine = machinePath(path);
      switch (machine?.what) {
        case 'turns':
          return readable(async (query, reader) => {
            const span = askedSpan(query, now());
            if (answers.isFull()) return refusedForNow();
            const found = await history.turnsOf(machine, span, reader?.isThere);
            if (found === undefined) return plain(404, `no event of ${machine.subject} is recorded`);
            return reply('application/json', answers.holding(found.turns, turnPieces(found)));
          });
        case 'journal':
          return readable(async (query, reader) => {
            const span = askedSpan(query, now());
            if (answers.isFull()) return refusedForNow();
            const found = await history.turnsOf(machine, span, reader?.isThere);
            if (found === undefined || found.turns.length === 0)
              return plain(404, `no event of ${machine.subject} is recorded then`);
            if (found.turns.length === span.most) return plain(413, tooManyWords(span.most));
            return slice(machine.subject, answers.holding(found.turns, slicePieces(found, history.about().runs)));
          });
        case 'events':
          return readable((query) => {
            asksOnly(query, 'from');
            const from = askedInstant(query, 'from', now());
            if (from !== undefined && answers.isFull()) return refusedForNow();
            return events(openMachine(machine, from));
          });
        case undefined:
          return undefined;
      }
    },
    upgrades: { '/stately': stately(history, { now, onCut: hooks.onRefused, onFault }) },
  };
}

/** The same for Stately's inspector: live from the first turn on, or what files hold. */
function stately(
  history: History,
  options: Parameters<typeof statelyFeed>[0] & Parameters<typeof statelyFiles>[1],
): Upgrade {
  if (history.live === undefined) return statelyFiles(history, options);
  const { observe, upgrade } = statelyFeed(options);
  history.live.listen(observe);
  return upgrade;
}

/** Answers with all of something, which takes no query. */
function whole(tell: () => unknown): Route {
  return readable((query) => {
    asksOnly(query);
    return json(tell());
  });
}

/** Answers a query that cannot be read with what is expected. */
function readable(route: Route): Route {
  return async (query, reader) => {
    try {
      return await route(query, reader);
    } catch (error) {
      // A file may have been changed, or removed, since it was read.
      if (error instanceof JournalUnusable) return plain(503, error.message);
      if (!(error instanceof BadQuery)) throw error;
      return plain(400, error.message);
    }
  };
}

function* turnPieces({ turns, earlier, later }: FoundTurns): Generator<Buffer> {
  yield Buffer.from(`{"earlier":${earlier},"later":${later},"turns":[`);
  for (const [index, turn] of turns.entries()) yield Buffer.from(`${index === 0 ? '' : ','}\n${turn}`);
  yield Buffer.from(']}\n');
}

const tooManyWords = (most: number) =>
  `${most} events or more: give a shorter time by ?from= and ?until=, or let replay --slice FILE write them`;

/** A file that replay and inspect open. */
function slice(subject: string, body: Reply['body']): Reply {
  const name = subject.replaceAll(/[^\w.-]+/g, '-');
  const headers = { ...guarding, 'content-disposition': `attachment; filename="dwd-${name}.jsonl"` };
  return { status: 200, contentType: 'application/x-ndjson', body, headers };
}

function events(stream: EventStream | undefined): Reply {
  if (stream !== undefined) return reply('text/event-stream', stream.body);
  return plain(503, 'as many pages are open as this inspector serves at once; close one');
}

function asset({ contentType, body, gzipped }: PageAssets[keyof PageAssets], reader?: Reader): Reply {
  if (reader?.takesGzip !== true) return reply(contentType, body);
  return { status: 200, contentType, body: gzipped, headers: { ...guarding, 'content-encoding': 'gzip' } };
}

function json(value: unknown): Reply {
  return reply('application/json', `${JSON.stringify(value)}\n`);
}

function reply(contentType: string, body: Reply['body']): Reply {
  return { status: 200, contentType, body, headers: guarding };
}

function plain(status: number, text: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n`, headers: guarding };
}
