import type { StoredJournal } from '../journal/stored-journal.ts';
import { journalReplay } from '../journal/machine-replay.ts';
import { nameOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { Kind, Replayed } from '../wire/wire.ts';
import { passJournals, type FileScope, type PassedTurn, type PassHooks } from './journal-pass.ts';
import type { ReadTurns } from './read-turns.ts';

/** The page shows where a machine of another version parts; thousands of machines part in the same way. */
const mostDifferences = 1_000;

/**
 * A machine of one file may have tens of thousands of turns there. So often its snapshot is kept, in bytes of its lines, and no more often than that
 * all snapshots take a sixteenth of the lines: then any turn is found by replaying some thousand.
 */
const snapshotEvery = 1_048_576;
const snapshotPart = 1 / 16;

/**
 * Replays every turn of the journals (SPEC 9.6), and tells `read` where each machine stood: at its end, and now and then before. Rejects as
 * `passJournals` does.
 */
export async function replayFiles(
  journals: readonly StoredJournal[],
  scope: FileScope,
  { index, standing }: Pick<ReadTurns, 'index' | 'standing'>,
  onBytes: PassHooks['onBytes'],
): Promise<Readonly<{ replayed: Replayed; differing: number }>> {
  const replay = journalReplay(pureMachines);
  const differences: Replayed['differences'][number][] = [];
  let [checked, withoutBeginning, differing] = [0, 0, 0];
  /** Of each machine of the present run, how many bytes there may be until its next snapshot is kept. */
  let left = new Map<string, number>();
  let [run, kinds] = ['', new Map<string, Kind>()];

  /** Another run knows nothing of these machines. */
  function settle(): void {
    for (const [subject, kind] of kinds) standing.stood({ kind, subject }, replay.standing(kind, subject));
    kinds = new Map();
  }

  function keepBefore({ turn, journal, place }: PassedTurn): void {
    const { kind, subject, event } = turn;
    const known = left.get(subject);
    const tells = event.type === 'started' || turn.before !== undefined;
    if (known === undefined ? tells : known > 0) {
      left.set(subject, (known ?? snapshotEvery) - place.bytes);
      return;
    }
    const before = tells ? undefined : replay.standing(kind, subject);
    const text = before === undefined ? '' : JSON.stringify(before);
    if (text !== '') index.keepBefore(journal, place, text);
    left.set(subject, Math.max(snapshotEvery, text.length / snapshotPart) - place.bytes);
  }

  await passJournals(journals, scope, {
    onBytes,
    onChapter(_, of) {
      if (of !== run) settle();
      run = of;
      left = new Map();
    },
    onCutOff: () => undefined,
    onUnread: (_, isLine) => isLine && replay.damaged(),
    onTurn(passed) {
      const { turn, isShown } = passed;
      keepBefore(passed);
      const replayed = replay.take(turn, run);
      if (turn.event.type === 'ended') kinds.delete(turn.subject);
      else kinds.set(turn.subject, turn.kind);
      if (!isShown) return;
      if (replayed.outcome === 'same' || replayed.outcome === 'differs') checked += 1;
      if (replayed.outcome === 'no beginning') withoutBeginning += 1;
      if (replayed.outcome !== 'differs') return;
      differing += 1;
      if (differing <= mostDifferences) differences.push({ ...nameOf(turn, run), in: replayed.difference.in });
    },
  });
  settle();
  return { replayed: { checked, withoutBeginning, differences }, differing };
}
