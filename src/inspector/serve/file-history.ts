import { pureMachines } from '../../machines/kinds.ts';
import { followEpisodes } from '../../adapters/episodes/all-episodes.ts';
import { followRuns } from '../../adapters/episodes/led-runs.ts';
import { subjectOfLine, type JournalTurns } from '../../adapters/journal/journal-line.ts';
import { JournalUnusable, type JournalEntry } from '../../adapters/journal/read-journal.ts';
import { journalReplay } from '../../adapters/journal/replay-journal.ts';
import { nameOf } from '../../adapters/turns/turn-name.ts';
import { turnstile } from '../../adapters/reading/turnstile.ts';
import { counted, errorWords } from '../../adapters/words/plain-words.ts';
import type { Instant } from '../../domain/time.ts';
import type { About, Kind, Replayed } from '../wire/wire.ts';
import { findTurns, carrying } from './find-turns.ts';
import { droppedEpisodes, standings, type History } from './history.ts';
import { keptTurns } from './kept-turns.ts';

/** A source of which nothing could be read; `problem` is a sentence that names it. */
type NoJournal = Readonly<{ kind: 'noJournal'; problem: string }>;

/** A file may have as many damaged lines as lines; the rest is counted. */
const mostProblems = 100;
/** The page shows where a machine of another version parts; thousands of machines part in the same way. */
const mostDifferences = 1_000;

export type FileHistoryOptions = Readonly<{
  version: string;
  program?: string | undefined;
  now: () => Instant;
  /** The names of what is read, for people. */
  sources: readonly string[];
  entries: AsyncIterable<JournalEntry | NoJournal>;
  /** Called for each turn, for those who show how far it is. */
  onTurn?: (turns: number) => void;
}>;

/**
 * Reads journals from the first line to the last, and replays every turn (SPEC 9.6). Rejects with JournalUnusable where a turn comes
 * twice, where a file cannot be read, and where there is no turn at all.
 */
export async function readFileHistory(options: FileHistoryOptions): Promise<History> {
  const replay = journalReplay(pureMachines);
  const kept = { shoot: keptTurns(), weeder: keptTurns() };
  const standing = standings();
  const episodes = followEpisodes();
  const runs = followRuns();
  const differences: Replayed['differences'][number][] = [];
  const problems: string[] = [];
  let [run, lastSeq, turns, checked, withoutBeginning, differing] = ['', 0, 0, 0, 0, 0];
  let [unread, firstAt, lastAt] = [0, Infinity, -Infinity];

  function problem(text: string): void {
    unread += 1;
    if (problems.length < mostProblems) problems.push(text);
  }

  function take(turn: JournalTurns[Kind], text: string, place: string): void {
    const { kind, subject, at, event } = turn;
    const line = lineOfToday(turn, text);
    const begins = event.type === 'started' || turn.before !== undefined || !kept[kind].needsBefore(subject, run);
    const before = begins ? undefined : replay.standing(kind, subject);
    const replayed = replay.take(turn, run);
    kept[kind].append(subject, run, before === undefined ? line : carrying(line, before));
    if (replayed.outcome === 'same') checked += 1;
    if (replayed.outcome === 'no beginning') withoutBeginning += 1;
    if (replayed.outcome === 'differs') {
      checked += 1;
      differing += 1;
      if (differing <= mostDifferences) differences.push({ ...nameOf(turn, run), in: replayed.difference.in });
    }
    standing.take({ ...turn, after: replay.standing(kind, subject) });
    try {
      episodes.take(turn, run);
    } catch (error) {
      // What an event carries was not looked at, and is anybody's in a file.
      problem(`${place} does not fit in with what happens to ${subject}: ${errorWords(error)}`);
    }
    turns += 1;
    runs.pass(run, at);
    [firstAt, lastAt] = [Math.min(firstAt, at), Math.max(lastAt, at)];
    options.onTurn?.(turns);
  }

  for await (const entry of options.entries) {
    if (entry.kind === 'noJournal') {
      problem(entry.problem);
      continue;
    }
    const place = `${entry.source}, line ${entry.line}`;
    // Without its header, the run of a file is unknown.
    if (entry.line === 1 && entry.kind === 'damaged') [run, lastSeq] = [entry.source, 0];
    if (entry.kind === 'cutOff') problems.push(`${place} is cut off, and left out`);
    if (entry.kind === 'damaged') {
      replay.damaged();
      problem(`${place}${entry.ends ? ' and all that follows there' : ''} cannot be read: ${entry.problem}`);
    }
    if (entry.kind === 'header') {
      const { header } = entry;
      if (header.run !== run) lastSeq = 0;
      run = header.run;
      runs.hear(header);
      episodes.hear(header);
    }
    if (entry.kind !== 'turn') continue;
    if (entry.turn.seq <= lastSeq) {
      const order = `event ${entry.turn.seq} comes after event ${lastSeq}`;
      throw new JournalUnusable(`${place}: ${order}; give each file once, in order`);
    }
    lastSeq = entry.turn.seq;
    take(entry.turn, entry.text, place);
  }
  if (turns === 0) throw new JournalUnusable(problems[0] ?? 'no event is recorded there');
  for (const one of Object.values(kept)) one.close();

  const pass = turnstile(1);
  const dropped = kept.shoot.dropped() + kept.weeder.dropped();
  const about = {
    version: options.version,
    program: options.program,
    live: false,
    sources: options.sources,
    runs: runs.all(),
    turns,
    firstAt,
    lastAt,
    lead: null,
    replayed: { checked, withoutBeginning, differences },
    problems: [
      ...problems,
      ...(unread > mostProblems ? [`${counted(unread - mostProblems, 'more place')} could not be read`] : []),
      ...(differing > mostDifferences ? [`${differing - mostDifferences} more machines come out otherwise`] : []),
      ...droppedEpisodes(episodes.dropped()),
      ...(dropped === 0 ? [] : [`the oldest ${counted(dropped, 'event')} did not fit into the memory for turns`]),
    ],
  } satisfies Omit<About, 'now'>;

  return {
    about: () => ({ now: options.now(), ...about }),
    rows: standing.rows,
    rowsOf: standing.rowsOf,
    episodes,
    async turnsOf({ kind, subject }, span, isWanted) {
      const blocks = kept[kind].blocksOf(subject);
      return blocks === undefined ? undefined : await findTurns(kind, blocks, span, pass, isWanted);
    },
    live: undefined,
  };
}

/** A line as this program writes it is kept as it was read: to write every turn again would be a twentieth of what reading costs. */
function lineOfToday(turn: JournalTurns[Kind], text: string): string {
  return subjectOfLine(text) === turn.subject ? text : JSON.stringify(turn);
}
