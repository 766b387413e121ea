import { JournalUnusable, type JournalSource } from '../../adapters/journal/read-journal.ts';
import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { journalReplay } from '../../adapters/journal/replay-journal.ts';
import { byKind, kindOf, kindsOf } from '../../adapters/turns/by-kind.ts';
import type { Instant } from '../../domain/time.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
import type { Episode, EpisodeCourse } from './episodes.ts';
import type { ReplayKinds } from './replay-kinds.ts';
import type { FinalState, ReplayReport, ReplaySummary } from './replay-report.ts';
import { turnInterest } from './turn-interest.ts';
import { usableEntries } from './usable-entries.ts';

/** A file may have as many damaged lines as lines; the rest is only counted. */
const mostDamagedTold = 100;

export type ReplayOptions<Spoken extends LanguageMap<Spoken>> = Readonly<{
  /** Only this namespace: its shoot, and its services. */
  only?: string | undefined;
  /** Only what happened from then on, and until then. */
  since?: Instant | undefined;
  until?: Instant | undefined;
  report: ReplayReport<Spoken>;
  out: (line: string) => void;
}>;

/**
 * Reads journals from the first line to the last, takes every turn again and tells of it as it goes (SPEC 9.6, L3).
 * `only` restricts what is told and judged, `since` and `until` only what is told: every turn is taken again, since the later
 * ones build on it. Rejects with JournalUnusable where a turn comes twice, and where a file cannot be read. Where there is nothing to tell, nothing is summed up.
 */
export async function replayJournals<Spoken extends LanguageMap<Spoken>>(
  sources: readonly JournalSource[],
  kinds: ReplayKinds<Spoken>,
  options: ReplayOptions<Spoken>,
): Promise<ReplaySummary<Spoken>> {
  const { only, since = -Infinity, until = Infinity, report } = options;
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
  const courses = episodeCourses(kinds.episodes);
  const differences: ReplaySummary<Spoken>['differences'][number][] = [];
  const noJournals: string[] = [];
  const namespaces = new Set<string>();
  const finalStates = new Map<string, FinalState<Spoken>>();
  const subjects = new Map(kindsOf(kinds.words).map((kind) => [kind, new Set<string>()]));
  let [turns, checked, ended, withoutBeginning, damaged] = [0, 0, 0, 0, 0];
  let read = { turns: 0, firstAt: Infinity, lastAt: -Infinity };
  let run = '';
  let lastSeq = 0;

  for (const source of sources) {
    for await (const entry of usableEntries(source, kinds.journal)) {
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
        write(report.opened(entry.header, entry.source));
        continue;
      }
      const { turn } = entry;
      if (turn.seq <= lastSeq)
        throw new JournalUnusable(
          `${place}: event ${turn.seq} comes after event ${lastSeq}; give each file once, in order`,
        );
      lastSeq = turn.seq;
      const replayed = replay.take(turn, run);
      const eventful = interesting(turn);
      const { subject, at, to: state } = turn;
      read = { turns: read.turns + 1, firstAt: Math.min(read.firstAt, at), lastAt: Math.max(read.lastAt, at) };
      const namespace = namespaceOf(turn);
      namespaces.add(namespace);
      if (only !== undefined && namespace !== only) continue;

      courses.take(turn);
      if (replayed.outcome === 'differs') differences.push({ turn, place, difference: replayed.difference });
      const kind = kindOf<Spoken>(turn);
      if (at <= until && turn.event.type === 'ended') finalStates.delete(subject);
      else if (at <= until) finalStates.set(subject, { kind, state });
      // A difference is told whenever it was: it voids what follows.
      if ((at < since || at > until) && replayed.outcome !== 'differs') continue;
      turns += 1;
      subjects.get(kind)?.add(subject);
      if (replayed.outcome === 'not taken') ended += 1;
      if (replayed.outcome === 'no beginning') withoutBeginning += 1;
      if (replayed.outcome === 'same' || replayed.outcome === 'differs') checked += 1;
      write(report.turn({ turn, replayed, place, eventful }));
    }
  }
  const summary = {
    turns,
    subjects: Object.fromEntries(
      [...subjects].map(([kind, { size }]) => [kind, size]),
    ) as ReplaySummary<Spoken>['subjects'],
    checked,
    ended,
    withoutBeginning,
    damaged,
    differences,
    episodes: courses.episodes(since, until),
    noJournals,
    read: { ...read, namespaces },
    finalStates,
  };
  if (turns > 0) write(report.end(summary));
  return summary;
}

/** Follows each machine by the course of its kind. */
function episodeCourses<Spoken extends LanguageMap<Spoken>>(kinds: ReplayKinds<Spoken>['episodes']) {
  const followed: { kind: keyof Spoken; episodes: () => readonly Episode[] }[] = [];
  const take = byKind<JournalTurns<Spoken>, void>(kinds, (kind) => {
    const courses = new Map<string, EpisodeCourse<Spoken[typeof kind]>>();
    return (turn) => {
      let course = courses.get(turn.subject);
      if (course === undefined) {
        course = kinds[kind].begin();
        courses.set(turn.subject, course);
        followed.push({ kind, episodes: course.episodes });
      }
      course.take(turn);
    };
  });
  return {
    take,
    episodes: (since: Instant, until: Instant) =>
      followed
        .flatMap(({ kind, episodes }) => episodes().map((episode) => ({ kind, episode })))
        .filter(({ episode }) => episode.beganAt <= until && (episode.endedAt ?? Infinity) >= since)
        .toSorted((one, other) => one.episode.beganAt - other.episode.beganAt),
  };
}
