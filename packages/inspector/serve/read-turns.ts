import { followEpisodes, type Episodes } from '../episodes/all-episodes.ts';
import { followRuns } from '../episodes/led-runs.ts';
import type { StoredJournal } from '../journal/stored-journal.ts';
import { counted, errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { droppedEpisodes, standings, type Standings } from './history.ts';
import { passJournals, type FileScope, type PassHooks } from './journal-pass.ts';
import { turnIndex, type TurnIndex } from './turn-index.ts';

/** A file may have as many damaged lines as lines; the rest is counted. */
const mostProblems = 100;

/** What journals hold, as far as it can be told without replaying them. */
export type ReadTurns = Readonly<{
  index: TurnIndex;
  standing: Standings;
  episodes: Episodes;
  runs: ReturnType<ReturnType<typeof followRuns>['all']>;
  turns: number;
  firstAt: Instant;
  lastAt: Instant;
  problems: readonly string[];
}>;

/** Reads journals once, from the first line to the last. Rejects as `passJournals` does. */
export async function readTurns(
  journals: readonly StoredJournal[],
  scope: FileScope,
  { onBytes, onTurn }: Pick<PassHooks, 'onBytes'> & Readonly<{ onTurn: () => void }>,
): Promise<ReadTurns> {
  const [index, standing, episodes] = [turnIndex(), standings(), followEpisodes()];
  const runs = followRuns();
  const problems: string[] = [];
  let [turns, unread, firstAt, lastAt] = [0, 0, Infinity, -Infinity];

  function problem(text: string): void {
    unread += 1;
    if (problems.length < mostProblems) problems.push(text);
  }

  await passJournals(journals, scope, {
    onBytes,
    onUnread: problem,
    onCutOff: (text) => void problems.push(text),
    onChapter(journal, run, header) {
      if (header !== undefined) {
        runs.hear(header);
        episodes.hear(header);
      }
      index.begin(journal, run);
    },
    onTurn({ turn, run, place, where, isShown }) {
      standing.take({ ...turn, after: undefined });
      try {
        episodes.take(turn, run);
      } catch (error) {
        // What an event carries was not looked at, and is anybody's in a file.
        problem(`${where} does not fit in with what happens to ${turn.subject}: ${errorWords(error)}`);
      }
      if (!isShown) return;
      index.add(turn, turn.at, place);
      runs.pass(run, turn.at);
      turns += 1;
      [firstAt, lastAt] = [Math.min(firstAt, turn.at), Math.max(lastAt, turn.at)];
      onTurn();
    },
  });
  index.close();
  const dropped = index.dropped();
  return {
    index,
    standing,
    episodes,
    runs: runs.all(),
    turns,
    firstAt,
    lastAt,
    problems: [
      ...problems,
      ...(unread > mostProblems ? [`${counted(unread - mostProblems, 'more place')} could not be read`] : []),
      ...droppedEpisodes(episodes.dropped()),
      ...(dropped === 0 ? [] : [`the oldest ${counted(dropped, 'event')} are left out: no more fit into the index`]),
    ],
  };
}
