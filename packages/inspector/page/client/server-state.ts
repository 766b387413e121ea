import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ServiceRow, ShootRow } from '../../model/rows.ts';
import type { About, MachineName, StreamEvents } from '../../wire/wire.ts';
import { hearBeginning, hearTime, type ServerTime } from './server-time.ts';

/** All that the server said, by its latest word. */
export type ServerState = Readonly<{
  about: About | null;
  shoots: ReadonlyMap<string, ShootRow>;
  services: ReadonlyMap<string, ServiceRow>;
  episodes: ReadonlyMap<string, Episode>;
  /** Older episodes that this page no longer holds. */
  forgotten: number;
  time: ServerTime | null;
  /** Of the program that brought this page, and so of the machines that the page holds. */
  pageVersion: string | null;
  /** What this stream has begun to tell: a stream begins with all there is, which takes the place of what was known before. */
  begun: Readonly<{ rows: boolean; episodes: boolean }>;
}>;

export const nothingHeard: ServerState = {
  about: null,
  shoots: new Map(),
  services: new Map(),
  episodes: new Map(),
  forgotten: 0,
  time: null,
  pageVersion: null,
  begun: { rows: false, episodes: false },
};

/** An episode has some kilobytes: so many keep a page that stays open for weeks below some tens of megabytes. */
export const mostEpisodes = 5_000;

/** What `/events` can say. */
export type Message = {
  [Name in 'about' | 'rows' | 'episodes']: Readonly<{ name: Name; data: StreamEvents[Name] }>;
}['about' | 'rows' | 'episodes'];

/** Takes one message of the stream. `browserAt`: this browser's time. */
export function afterMessage(state: ServerState, heard: Message, browserAt: Instant): ServerState {
  switch (heard.name) {
    case 'about':
      return {
        ...afterAbout(state, heard.data, browserAt),
        time: hearBeginning(state.time, { serverAt: heard.data.now, browserAt }),
        begun: nothingHeard.begun,
      };
    case 'rows':
      return afterRows(state, heard.data, browserAt);
    case 'episodes':
      return afterEpisodes(state, heard.data.episodes);
  }
}

/** A newer `about`, which does not begin a stream. */
export function afterAbout(state: ServerState, about: About, browserAt: Instant): ServerState {
  const time = hearTime(state.time, { serverAt: about.now, browserAt });
  return { ...state, about, time, pageVersion: state.pageVersion ?? about.version };
}

/** The names of all machines. */
export function allNames({ shoots, services }: Pick<ServerState, 'shoots' | 'services'>): readonly MachineName[] {
  return [
    ...Array.from(shoots.keys(), (subject) => ({ kind: 'shoot' as const, subject })),
    ...Array.from(services.keys(), (subject) => ({ kind: 'weeder' as const, subject })),
  ];
}

function afterRows(
  state: ServerState,
  { now, shoots, services, gone, read }: StreamEvents['rows'],
  browserAt: Instant,
): ServerState {
  const known = state.begun.rows ? state : nothingHeard;
  const heard = state.begun.rows ? hearTime : hearBeginning;
  return {
    ...state,
    about: state.about && { ...state.about, ...read },
    shoots: merged(known.shoots, shoots, ({ shoot }) => shoot, gone),
    services: merged(known.services, services, ({ service }) => service, gone),
    time: heard(state.time, { serverAt: now, browserAt }),
    begun: { ...state.begun, rows: true },
  };
}

function afterEpisodes(state: ServerState, episodes: readonly Episode[]): ServerState {
  const known = state.begun.episodes ? state : nothingHeard;
  const all = merged(known.episodes, episodes, ({ id }) => id, []);
  const newest = all.size <= mostEpisodes ? all : newestOf(all);
  return {
    ...state,
    episodes: newest,
    forgotten: known.forgotten + all.size - newest.size,
    begun: { ...state.begun, episodes: true },
  };
}

function newestOf(episodes: ReadonlyMap<string, Episode>): ReadonlyMap<string, Episode> {
  const sorted = [...episodes].toSorted(([, a], [, b]) => b.beganAt - a.beganAt);
  return new Map(sorted.slice(0, mostEpisodes));
}

/** The same map if nothing changes, so that nothing is drawn again. */
function merged<Row>(
  known: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  gone: readonly string[],
): ReadonlyMap<string, Row> {
  const leaving = gone.filter((key) => known.has(key));
  if (rows.length === 0 && leaving.length === 0) return known;
  const named = rows.map((row) => [keyOf(row), row] as const);
  // All of them come at once: by name, which is how the seed sorts them again and again.
  if (known.size === 0) return new Map(named.toSorted(([a], [b]) => naturalOrder(a, b)));
  const all = new Map(known);
  for (const key of leaving) all.delete(key);
  for (const [key, row] of named) all.set(key, row);
  return all;
}

/**
 * Machines whose name holds each word of `text`, at most so many: first those that begin with it, or have it behind a `-` or `/`, then by name.
 * Upper and lower case are the same.
 */
export function findNames(names: readonly MachineName[], text: string, most: number): readonly MachineName[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const [first = ''] = words;
  return names
    .map((name) => ({ name, lower: name.subject.toLowerCase() }))
    .filter(({ lower }) => words.every((word) => lower.includes(word)))
    .map(({ name, lower }) => ({ name, rank: rankOf(lower, first) }))
    .toSorted((a, b) => a.rank - b.rank || naturalOrder(a.name.subject, b.name.subject))
    .slice(0, most)
    .map(({ name }) => name);
}

function rankOf(lower: string, word: string): number {
  if (lower === word) return 0;
  if (lower.startsWith(word)) return 1;
  return lower.includes(`-${word}`) || lower.includes(`/${word}`) ? 2 : 3;
}
