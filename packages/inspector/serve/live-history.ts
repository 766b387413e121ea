import { followEpisodes } from '../episodes/all-episodes.ts';
import type { Journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { pacer } from 'dependency-watchdog/adapters/reading/pacer.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import type { ProcessLead } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { About } from '../wire/wire.ts';
import { toldByTurns } from 'dependency-watchdog/adapters/record/facts/shoot-standing.ts';
import { findTurns } from './find-turns.ts';
import { droppedEpisodes, standings, type History } from './history.ts';

export type LiveHistory = History &
  Readonly<{ live: object; observe(turn: Turn): void; onLead(lead: ProcessLead): void }>;

/** Each may hold some 64 MiB of turns, and unpacks chapters, in some milliseconds each, one a turn of the event loop. */
const mostScans = 2;

/**
 * The history of the process itself. A turn costs it next to nothing: it keeps where each machine stands, and whatever else is shown is made when
 * somebody asks. Turns are read from the journal in memory.
 */
export function liveHistory({
  version,
  program,
  now,
  journal,
}: Readonly<{
  version: string;
  program?: string | undefined;
  now: () => Instant;
  journal: Pick<Journal, 'parts' | 'header'>;
}>): LiveHistory {
  const told = toldByTurns();
  const standing = standings(told.of);
  const episodes = followEpisodes();
  const listeners = new Set<(turn: Turn) => void>();
  const pass = pacer(1);
  const scan = atMostAtOnce(mostScans);
  const began = journal.header();
  const { run } = began;
  let lead: ProcessLead | null = null;
  let heardFrom: Instant | undefined;

  /** Memory is bounded: what it let go, nobody finds here. */
  function forgotten([oldest]: ReturnType<typeof journal.parts>): readonly string[] {
    if (oldest === undefined || heardFrom === undefined || oldest.firstAt <= heardFrom) return [];
    return [`events from before ${instantText(oldest.firstAt)}: memory holds no more; files of --journal-dir do`];
  }

  function about(): About {
    const parts = journal.parts();
    return {
      now: now(),
      version,
      program,
      live: true,
      sources: ['memory'],
      runs: [{ ...began, lead: journal.header().lead }],
      turns: parts.reduce((sum, { turns }) => sum + turns, 0),
      firstAt: parts[0]?.firstAt ?? null,
      lastAt: parts.at(-1)?.lastAt ?? null,
      lead,
      replayed: null,
      problems: [...forgotten(parts), ...droppedEpisodes(episodes.dropped())],
      reading: null,
    };
  }

  return {
    about,
    rows: standing.rows,
    rowsOf: standing.rowsOf,
    episodes,
    async turnsOf(machine, span, isWanted) {
      const { kind, subject } = machine;
      // Now, and not when it is this reader's turn: what comes later is told to whoever listens.
      const blocks = journal
        .parts()
        .map(({ firstAt, lastAt, linesOf }) => ({ firstAt, lastAt, read: () => ({ run, lines: linesOf(subject) }) }));
      const known = standing.has(machine);
      const found = await scan(() => findTurns(kind, blocks, span, pass, isWanted));
      return known || found.turns.length > 0 || found.earlier || found.later ? found : undefined;
    },
    live: {
      run,
      listen(heard) {
        listeners.add(heard);
        return () => void listeners.delete(heard);
      },
    },
    onLead(now) {
      lead = now;
      episodes.hear(journal.header());
    },
    observe(turn) {
      heardFrom ??= turn.at;
      if (turn.kind === 'shoot') told.observe(turn);
      standing.take(turn);
      episodes.take(turn, run);
      for (const heard of listeners) heard(turn);
    },
  };
}

/** Runs so many tasks at a time; the others wait in their order. */
export function atMostAtOnce(most: number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
