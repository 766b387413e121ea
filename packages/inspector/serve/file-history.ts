import type { StoredJournal } from '../journal/stored-journal.ts';
import { JournalUnusable } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { pacer } from 'dependency-watchdog/adapters/reading/pacer.ts';
import { counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { About, Reading, Replayed } from '../wire/wire.ts';
import { findTurns } from './find-turns.ts';
import type { History } from './history.ts';
import type { FileScope } from './journal-pass.ts';
import { readTurns, type ReadTurns } from './read-turns.ts';
import { replayFiles } from './replay-files.ts';
import { newestOf, readingProgress } from './reading-progress.ts';

export type FileHistoryOptions = Readonly<{
  version: string;
  program?: string | undefined;
  now: () => Instant;
  /** Oldest first. */
  journals: readonly StoredJournal[];
  scope?: FileScope;
  /** What is left out of the journals before anything is read, in sentences. */
  leftOut?: readonly string[];
}>;

export type FileHistory = Readonly<{
  history: History;
  /** A first turn was read; rejects where there is none. */
  begun: Promise<void>;
  /** All that happened is known. The last three reject with JournalUnusable where a turn comes twice, or a file cannot be read. */
  read: Promise<void>;
  /** Every turn was replayed, too (SPEC 9.6). */
  replayed: Promise<void>;
}>;

const nothingLeft: readonly string[] = [];

/**
 * Reads journals while it is asked already: the newest ones first, then all of them from the first line to the last, since an outage may have begun
 * in an older one. In the end each turn is replayed, which takes five times as long as to read it. Of a turn it keeps where it stands.
 */
export function readFileHistory(options: FileHistoryOptions): FileHistory {
  const { journals, scope = {}, leftOut = nothingLeft } = options;
  const newest = newestOf(journals);
  const progress = readingProgress(newest, journals);
  const pass = pacer(1);
  const begun = Promise.withResolvers<void>();
  const hooks = { onBytes: progress.onBytes, onTurn: begun.resolve };
  let shown: ReadTurns | undefined;
  let found: Readonly<{ replayed: Replayed; differing: number }> | undefined;
  let reading: Omit<Reading, 'percent'> | null = { doing: 'newest', step: 0 };

  function next(doing: Reading['doing']): void {
    reading = { doing, step: (reading?.step ?? 0) + 1 };
    progress.next(doing);
  }

  async function readNewest(): Promise<void> {
    if (newest.length === journals.length) return next('all');
    const some = await readTurns(newest, scope, hooks);
    if (some.turns > 0) shown = some;
    next('all');
  }

  async function readAll(): Promise<void> {
    await first;
    shown = await readTurns(journals, scope, hooks);
    if (shown.turns === 0) throw new JournalUnusable(shown.problems[0] ?? nothingThere(scope));
    next('replay');
  }

  async function replayAll(): Promise<void> {
    await all;
    if (shown === undefined) return;
    // How they stand now is told by the newest ones; the others only confirm it.
    if (newest.length < journals.length) await replayFiles(newest, scope, shown, progress.onBytes);
    next('replay');
    found = await replayFiles(journals, scope, shown, progress.onBytes);
    reading = null;
  }

  const first = readNewest();
  const all = readAll();
  const whole = replayAll();
  all.catch(begun.reject);
  // Whoever waits for one of them hears of its failure.
  for (const one of [begun.promise, first, all, whole]) one.catch(() => undefined);

  const differing = () => (found?.differing ?? 0) - (found?.replayed.differences.length ?? 0);
  const none = { shoots: [], services: [] };
  return {
    begun: begun.promise,
    read: all,
    replayed: whole,
    history: {
      about(): About {
        return {
          now: options.now(),
          version: options.version,
          program: options.program,
          live: false,
          sources: journals.map(({ name }) => name),
          runs: shown?.runs ?? [],
          turns: shown?.turns ?? 0,
          firstAt: shown?.firstAt ?? null,
          lastAt: shown?.lastAt ?? null,
          lead: null,
          replayed: found?.replayed ?? null,
          problems: [
            ...leftOut,
            ...(shown?.problems ?? []),
            ...(differing() === 0 ? [] : [`${counted(differing(), 'more machine')} came out otherwise`]),
          ],
          reading: reading && { ...reading, percent: progress.percent() },
        };
      },
      rows: () => shown?.standing.rows() ?? none,
      rowsOf: (machines) => shown?.standing.rowsOf(machines) ?? none,
      episodes: {
        episodes: () => episodesIn(shown, scope),
        changedSince: () => ({ revision: 0, episodes: episodesIn(shown, scope) }),
      },
      async turnsOf(machine, span, isWanted) {
        await first;
        // What is shown of the newest files may be all that is asked for.
        if (reading?.doing === 'all' && (shown === undefined || span.until < shown.firstAt)) await all;
        const partly = reading?.doing === 'all';
        const blocks = shown?.index.blocksOf(machine);
        if (blocks === undefined && partly) await all;
        const those = blocks ?? shown?.index.blocksOf(machine);
        if (those === undefined) return undefined;
        const turns = await findTurns(machine.kind, those, span, pass, isWanted);
        return partly ? { ...turns, earlier: true } : turns;
      },
      live: undefined,
    },
  };
}

/** What happened, as far as the time that was asked for touches it. */
function episodesIn(shown: ReadTurns | undefined, { since = -Infinity }: FileScope) {
  return shown?.episodes.episodes().filter(({ endedAt }) => (endedAt ?? Infinity) >= since) ?? [];
}

function nothingThere({ since, until, shoot }: FileScope): string {
  const of = shoot === undefined ? '' : ` of ${shoot}`;
  const range = [
    ...(since === undefined ? [] : [` since ${instantText(since)}`]),
    ...(until === undefined ? [] : [` until ${instantText(until)}`]),
  ];
  return `no event${of} is recorded there${range.join('')}`;
}
