import { JournalUnusable, type JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { journalSlice, journalReplay } from '../../journal/machine-replay.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { ReplayReport, ReplaySummary } from './replay-report.ts';
import { replayTally, type ReplayScope } from './replay-tally.ts';
import { turnInterest } from './turn-interest.ts';
import { usableEntries } from '../../journal/usable-entries.ts';

/** A file may have as many damaged lines as lines; the rest is only counted. */
const mostDamagedTold = 100;

export type ReplayOptions = ReplayScope &
  Readonly<{
    report: ReplayReport;
    out: (line: string) => void;
    /** Is given what is told, as a journal of its own. */
    slice?: ((text: string) => Promise<void>) | undefined;
  }>;

/**
 * Reads journals from the first line to the last, replays every turn and tells of it as it goes (SPEC 9.6, L3).
 * `only` restricts what is told and judged, `since` and `until` only what is told: every turn is replayed, since the later
 * ones build on it. Rejects with JournalUnusable where a turn comes twice, and where a file cannot be read. Where there is nothing to tell, nothing is summed up.
 */
export async function replayJournals(
  sources: readonly JournalSource[],
  options: ReplayOptions,
): Promise<ReplaySummary> {
  const { report } = options;
  const write = (lines: readonly string[]) => {
    for (const line of lines) options.out(line);
  };
  const replay = journalReplay(pureMachines);
  const interesting = turnInterest();
  const tally = replayTally(options);
  const slice = journalSlice();
  const noJournals: string[] = [];
  let damaged = 0;
  let run = '';
  let lastSeq = 0;

  for (const source of sources) {
    for await (const entry of usableEntries(source)) {
      if (entry.kind === 'noJournal') {
        noJournals.push(entry.problem);
        continue;
      }
      // Without its header, nobody knows of which run a file is.
      if (entry.line === 1 && entry.kind === 'damaged') [run, lastSeq] = [source.name, 0];
      const place = `${entry.source}, line ${entry.line}`;
      if (entry.kind === 'cutOff') {
        write(report.cutOff(place));
        continue;
      }
      if (entry.kind === 'damaged') {
        damaged += 1;
        replay.damaged();
        if (damaged <= mostDamagedTold) write(report.damaged(place, entry.problem, entry.ends));
        continue;
      }
      if (entry.kind === 'header') {
        if (entry.header.run !== run) lastSeq = 0;
        run = entry.header.run;
        tally.hear(entry.header);
        slice.hear(entry.header);
        // That one ends a file.
        if (entry.header.lead?.ended === undefined) write(report.opened(entry.header, entry.source));
        continue;
      }
      const { turn } = entry;
      if (turn.seq <= lastSeq)
        throw new JournalUnusable(
          `${place}: event ${turn.seq} comes after event ${lastSeq}; give each file once, in order`,
        );
      lastSeq = turn.seq;
      try {
        const before =
          options.slice !== undefined && slice.needsBefore(turn) ? replay.standing(turn.kind, turn.subject) : undefined;
        const replayed = replay.take(turn, run);
        const eventful = interesting(turn);
        report.taken?.(turn, run);
        if (tally.take(turn, replayed, { place, run })) {
          write(report.turn({ turn, replayed, place, eventful }));
          await options.slice?.(slice.lines(turn, before));
        }
      } catch (error) {
        // What an event carries was not looked at, and is anybody's in a file.
        damaged += 1;
        if (damaged <= mostDamagedTold)
          write(report.damaged(place, `it is no event of ours: ${errorWords(error)}`, false));
      }
    }
  }
  const summary = { ...tally.summary(), damaged, noJournals };
  if (summary.turns > 0) write(report.end(summary));
  return summary;
}
