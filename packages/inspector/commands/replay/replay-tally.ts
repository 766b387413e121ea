import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import { followEpisodes } from '../../episodes/all-episodes.ts';
import type { EpisodeLimits } from '../../episodes/episode-ledger.ts';
import type { JournalHeader, JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { journalKinds } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import { followRuns, type LeadEvent, leadEvents } from '../../episodes/led-runs.ts';
import type { Replayed } from '../../journal/machine-replay.ts';
import { byKind, kindsOf } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { FinalState, ReplaySummary } from './replay-report.ts';
import { counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { nearest } from 'dependency-watchdog/domain/nearest.ts';

/** What was asked for. Absent: everything. */
export type ReplayScope = Readonly<{
  /** Only this namespace: its shoot, and its services. */
  only?: string | undefined;
  /** Only what happened from then on, and until then. */
  since?: Instant | undefined;
  until?: Instant | undefined;
  /** Absent: each outage is told by itself, however often it comes. */
  episodes?: Partial<EpisodeLimits>;
}>;

/** A replay tells of as many nights as it is given. */
const mostEpisodes = 100_000;

export type ReplayTally = Readonly<{
  /** Counts a turn, and answers whether it was asked for. Every turn must pass, in order. */
  take(
    turn: JournalTurns[keyof Languages],
    replayed: Replayed,
    from: Readonly<{ place: string; run: string }>,
  ): boolean;
  /** Who writes from now on. */
  hear(header: JournalHeader): void;
  summary(): Omit<ReplaySummary, 'damaged' | 'noJournals'>;
}>;

/** Sums up a replay while it goes on. */
export function replayTally({
  only,
  since = -Infinity,
  until = Infinity,
  episodes: limits = { foldWithin: 0 },
}: ReplayScope): ReplayTally {
  const namespaceOf = byKind<JournalTurns, string>({
    shoot: ({ subject }) => journalKinds.shoot.namespaceOf(subject),
    weeder: ({ subject }) => journalKinds.weeder.namespaceOf(subject),
  });
  const episodes = followEpisodes({ most: mostEpisodes, ...limits });
  const runs = followRuns();
  const differences: ReplaySummary['differences'][number][] = [];
  const namespaces = new Set<string>();
  const finalStates = new Map<string, FinalState>();
  const subjects = new Map(kindsOf(journalKinds).map((kind) => [kind, new Set<string>()]));
  let [turns, checked, ended, withoutBeginning] = [0, 0, 0, 0];
  let read = { turns: 0, firstAt: Infinity, lastAt: -Infinity };

  const episodesTold = () =>
    episodes.drafts().filter(({ beganAt, endedAt }) => beganAt <= until && (endedAt ?? Infinity) >= since);

  function leadsTold(): readonly LeadEvent[] {
    const told = leadEvents(runs.all()).filter(({ at }) => at >= since && at <= until);
    if (only === undefined) return told;
    const during = episodesTold();
    return told.filter(({ at }) => during.some((one) => one.beganAt <= at && at <= (one.endedAt ?? Infinity)));
  }

  return {
    take(turn, replayed, { place, run }) {
      const { subject, at, to: state } = turn;
      const { outcome } = replayed;
      runs.pass(run, at);
      read = { turns: read.turns + 1, firstAt: Math.min(read.firstAt, at), lastAt: Math.max(read.lastAt, at) };
      const namespace = namespaceOf(turn);
      namespaces.add(namespace);
      if (only !== undefined && namespace !== only) return false;

      episodes.take(turn, run);
      if (outcome === 'differs') differences.push({ turn, place, difference: replayed.difference });
      const { kind } = turn;
      if (at <= until && turn.event.type === 'ended') finalStates.delete(subject);
      else if (at <= until) finalStates.set(subject, { kind, state });
      // A difference is told whenever it was: it voids what follows.
      if ((at < since || at > until) && outcome !== 'differs') return false;
      turns += 1;
      subjects.get(kind)?.add(subject);
      if (outcome === 'not taken') ended += 1;
      if (outcome === 'no beginning') withoutBeginning += 1;
      if (outcome === 'same' || outcome === 'differs') checked += 1;
      return true;
    },
    hear(header) {
      runs.hear(header);
      episodes.hear(header);
    },
    summary: () => ({
      leads: leadsTold(),
      turns,
      subjects: Object.fromEntries([...subjects].map(([kind, { size }]) => [kind, size])) as ReplaySummary['subjects'],
      checked,
      ended,
      withoutBeginning,
      differences,
      episodes: episodesTold(),
      episodesLeftOut: episodes.dropped(),
      read: { ...read, namespaces },
      finalStates,
    }),
  };
}

/** A seed may have hundreds of shoots. */
const mostNamed = 10;

/** Why nothing was told, in a sentence, where nothing was; a replay of nothing is no success. */
export function nothingTold(
  { turns, damaged, noJournals, read }: Pick<ReplaySummary, 'turns' | 'damaged' | 'noJournals' | 'read'>,
  { only, since, until }: ReplayScope,
): readonly string[] {
  if (turns > 0) return [];
  if (read.turns === 0 && damaged > 0) return ['no event could be read there, as told above'];
  if (read.turns === 0) return noJournals.length > 0 ? [] : ['no event is recorded there'];
  if (only !== undefined && !read.namespaces.has(only))
    return [`no event of ${only} is recorded there; ${whoIsThere(only, read.namespaces)}`];
  const range = rangeWords(since, until);
  const whole = `the journal tells of ${instantText(read.firstAt)} to ${instantText(read.lastAt)}`;
  return [`no event${only === undefined ? '' : ` of ${only}`} is recorded ${range}; ${whole}`];
}

function rangeWords(since: Instant | undefined, until: Instant | undefined): string {
  if (since === undefined) return until === undefined ? '' : `until ${instantText(until)}`;
  return until === undefined
    ? `since ${instantText(since)}`
    : `between ${instantText(since)} and ${instantText(until)}`;
}

function whoIsThere(wanted: string, namespaces: ReadonlySet<string>): string {
  const meant = nearest(wanted, namespaces);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const names = [...namespaces].toSorted(naturalOrder);
  const more = names.length > mostNamed ? ' …' : '';
  return `it tells of ${counted(names.length, 'namespace')}: ${names.slice(0, mostNamed).join(', ')}${more}`;
}
