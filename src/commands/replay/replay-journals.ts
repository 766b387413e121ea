import { JournalUnusable, readJournalOf, type JournalSource } from '../../adapters/journal/read-journal.ts';
import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { journalReplay } from '../../adapters/journal/replay-journal.ts';
import { byKind, kindOf, kindsOf } from '../../adapters/turns/by-kind.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
import type { ReplayKinds } from './replay-kinds.ts';
import type { FinalState, ReplayReport, ReplaySummary } from './replay-report.ts';
import { turnInterest } from './turn-interest.ts';

/** A file that is no journal has as many damaged lines as lines; the rest is only counted. */
const mostDamagedTold = 100;

/**
 * Reads journals from the first line to the last, takes every turn again and tells of it as it goes (SPEC 9.6, L3).
 * `only` restricts what is told and judged to one namespace: its shoot, and its services. Rejects with JournalUnusable where a turn comes twice, and where a file cannot be read.
 */
export async function replayJournals<Spoken extends LanguageMap<Spoken>>(
  sources: readonly JournalSource[],
  kinds: ReplayKinds<Spoken>,
  options: Readonly<{
    only?: string | undefined;
    report: ReplayReport<Spoken>;
    out: (line: string) => void;
  }>,
): Promise<ReplaySummary<Spoken>> {
  const { only, report } = options;
  const write = (lines: readonly string[]) => {
    for (const line of lines) options.out(line);
  };
  const replay = journalReplay(kinds.machines);
  const interesting = turnInterest(kinds.interests);
  const namespaceOf = byKind<JournalTurns<Spoken>, string>(
    kinds.journal,
    (kind) =>
      ({ subject }) =>
        kinds.journal[kind].namespaceOf(subject),
  );
  const differences: ReplaySummary<Spoken>['differences'][number][] = [];
  const finalStates = new Map<string, FinalState<Spoken>>();
  const subjects = new Map(kindsOf(kinds.words).map((kind) => [kind, new Set<string>()]));
  let [turns, checked, withoutBeginning, damaged] = [0, 0, 0, 0];
  let run = '';
  let lastSeq = 0;

  for (const source of sources) {
    for await (const entry of readJournalOf(source, kinds.journal)) {
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
        write(report.opened(entry.header, entry.source));
        continue;
      }
      const { turn } = entry;
      if (turn.seq <= lastSeq)
        throw new JournalUnusable(
          `${place}: turn ${turn.seq} comes after turn ${lastSeq}; give each file once, in order`,
        );
      lastSeq = turn.seq;
      const replayed = replay.take(turn, run);
      const eventful = interesting(turn);
      if (only !== undefined && namespaceOf(turn) !== only) continue;

      turns += 1;
      const { subject, to: state } = turn;
      const kind = kindOf<Spoken>(turn);
      subjects.get(kind)?.add(subject);
      if (turn.event.type === 'ended') finalStates.delete(subject);
      else finalStates.set(subject, { kind, state });
      if (replayed.outcome === 'no beginning') withoutBeginning += 1;
      if (replayed.outcome === 'same' || replayed.outcome === 'differs') checked += 1;
      if (replayed.outcome === 'differs') differences.push({ turn, place, difference: replayed.difference });
      write(report.turn({ turn, replayed, place, eventful }));
    }
  }
  const summary = {
    turns,
    subjects: Object.fromEntries(
      [...subjects].map(([kind, { size }]) => [kind, size]),
    ) as ReplaySummary<Spoken>['subjects'],
    checked,
    withoutBeginning,
    damaged,
    differences,
    finalStates,
  };
  write(report.end(summary));
  return summary;
}
