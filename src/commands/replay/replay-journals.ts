import { JournalUnusable, readJournal, type JournalSource } from '../../adapters/journal/read-journal.ts';
import type { JournalTurn } from '../../adapters/journal/journal-line.ts';
import { journalReplay, type ReplayMachines } from '../../adapters/journal/replay-journal.ts';
import { namespaceOf, subjectOf, type Subject } from '../../adapters/turns/subject-of.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { ReplayReport, ReplaySummary } from './replay-report.ts';
import { turnInterest } from './turn-interest.ts';

/** A file that is no journal has as many damaged lines as lines; the rest is only counted. */
const mostDamagedTold = 100;

/**
 * Reads journals from the first line to the last, takes every turn again and tells of it as it goes (SPEC 9.6, L3).
 * `only` restricts what is told and judged to one namespace: its shoot, and its services. Rejects with JournalUnusable where a turn comes twice, and where a file cannot be read.
 */
export async function replayJournals<ShootSnapshot, WeederSnapshot>(
  sources: readonly JournalSource[],
  machines: ReplayMachines<ShootSnapshot, WeederSnapshot>,
  options: Readonly<{
    only?: ShootNamespace | undefined;
    report: ReplayReport;
    out: (line: string) => void;
  }>,
): Promise<ReplaySummary> {
  const { only, report } = options;
  const write = (lines: readonly string[]) => {
    for (const line of lines) options.out(line);
  };
  const replay = journalReplay(machines);
  const interesting = turnInterest();
  const differences: ReplaySummary['differences'][number][] = [];
  const finalStates = new Map<Subject, JournalTurn['to']>();
  const shoots = new Set<Subject>();
  const services = new Set<Subject>();
  let [turns, checked, withoutBeginning, damaged] = [0, 0, 0, 0];
  let run = '';
  let lastSeq = 0;

  for (const source of sources) {
    for await (const entry of readJournal(source)) {
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
      const subject = subjectOf(turn);
      ('shoot' in turn ? shoots : services).add(subject);
      if (turn.event.type === 'ended') finalStates.delete(subject);
      else finalStates.set(subject, turn.to);
      if (replayed.outcome === 'no beginning') withoutBeginning += 1;
      if (replayed.outcome === 'same' || replayed.outcome === 'differs') checked += 1;
      if (replayed.outcome === 'differs') differences.push({ turn, place, difference: replayed.difference });
      write(report.turn({ turn, replayed, place, eventful }));
    }
  }
  const summary = {
    turns,
    shoots: shoots.size,
    services: services.size,
    checked,
    withoutBeginning,
    damaged,
    differences,
    finalStates,
  };
  write(report.end(summary));
  return summary;
}
