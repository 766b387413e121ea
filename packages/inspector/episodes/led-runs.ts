import { textOf, type EpisodeWeight } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import {
  leaderOf,
  podOf,
  tookWords,
  type Leader,
  type LedRun,
} from 'dependency-watchdog/adapters/record/episodes/leaders.ts';
import { clockWords, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { JournalHeader } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';

/** Every run that a journal tells of, by its newest header, and when its last turn was. */
export function followRuns() {
  const headers = new Map<string, JournalHeader>();
  const lastAt = new Map<string, Instant>();
  return {
    hear(header: JournalHeader): void {
      const { run } = header;
      headers.set(run, { ...header, openedAt: headers.get(run)?.openedAt ?? header.openedAt });
    },
    /** A turn of it passes. */
    pass: (run: string, at: Instant) => void lastAt.set(run, at),
    /** In the order in which they were heard of. */
    all: (): readonly (JournalHeader & Readonly<{ lastAt?: Instant }>)[] =>
      [...headers.values()].map((header) => {
        const last = lastAt.get(header.run);
        return last === undefined ? header : { ...header, lastAt: last };
      }),
  };
}

/** The time in which one process led, as far as it is recorded. */
export type Lead = Readonly<{
  run: string;
  role: string;
  leader: Leader;
  /** Null while it leads, or where the record ends before it did. */
  until: Instant | null;
  events: readonly LeadEvent[];
}>;

/** Who took the lead, or ended, and when: an event of the night. Plain JSON. */
export type LeadEvent = Readonly<{
  id: string;
  at: Instant;
  /** Whose lead it is: `prober`. */
  role: string;
  run: string;
  kind: 'took' | 'ended';
  weight: EpisodeWeight;
  /** Each time of day in it is `at`. */
  sentence: string;
  data: Readonly<Record<string, unknown>>;
}>;

/** Who led, role by role, each in their order. A role of which no change of the lead is told has none. */
export function leadsOf(runs: readonly LedRun[]): readonly Lead[] {
  const ofRoles = Map.groupBy(runs, ({ program }) => program.split(' ').at(-1) ?? program);
  return [...ofRoles].flatMap(([role, those]) => {
    const inOrder = those.toSorted((one, other) => leaderOf(one).tookAt - leaderOf(other).tookAt);
    const leads = inOrder.map((run, index): Lead => {
      const leader = leaderOf(run);
      const next = inOrder[index + 1];
      const nextAt = next === undefined ? Infinity : leaderOf(next).tookAt;
      const over = Math.min(run.lead?.ended?.at ?? (next === undefined ? Infinity : (run.lastAt ?? nextAt)), nextAt);
      const until = over === Infinity ? null : Math.max(over, leader.tookAt);
      const events = [...tookEvents(role, run, inOrder[index - 1]), ...endedEvents(role, run)];
      return { run: run.run, role, leader, until, events };
    });
    return leads.some(({ events }) => events.length > 0) ? leads : [];
  });
}

/** All changes of the lead that the runs tell, oldest first. */
export function leadEvents(runs: readonly LedRun[]): readonly LeadEvent[] {
  return leadsOf(runs)
    .flatMap(({ events }) => events)
    .toSorted((one, other) => one.at - other.at);
}

function tookEvents(role: string, run: LedRun, before: LedRun | undefined): readonly LeadEvent[] {
  const leader = leaderOf(run);
  // Of the first one of a record nothing is known but that it began.
  if (before === undefined && (leader.how === 'unknown' || leader.how === 'noElection')) return [];
  const known = { ...leader, from: leader.from ?? (before?.lead && podOf(before.lead.identity)) };
  const { tookAt, how } = leader;
  const quietSince = before?.lead?.ended?.at ?? before?.lastAt;
  const quiet = quietSince === undefined ? undefined : tookAt - quietSince;
  const nobody = quiet === undefined || quiet < 0 ? '' : `; nobody is recorded to have acted for ${lengthWords(quiet)}`;
  const { from, ...rest } = known;
  return [
    {
      id: `${run.run} took`,
      at: tookAt,
      role,
      run: run.run,
      kind: 'took',
      weight: how === 'ranOut' ? 'grave' : 'notable',
      sentence: `${leader.words} ${tookWords(from === undefined ? rest : { ...rest, from })}${nobody}`,
      data: {
        role,
        took: textOf(tookAt),
        identity: run.lead?.identity,
        how,
        from: run.lead?.from ?? before?.lead?.identity,
        nobodyForMs: quiet,
      },
    },
  ];
}

function endedEvents(role: string, { run, program, openedAt, lead }: LedRun): readonly LeadEvent[] {
  if (lead?.ended === undefined) return [];
  const { at, why } = lead.ended;
  const { words, tookAt } = leaderOf({ run, program, openedAt, lead });
  return [
    {
      id: `${run} ended`,
      at,
      role,
      run,
      kind: 'ended',
      weight: why.startsWith('SIG') ? 'notable' : 'grave',
      sentence: `${words} ended at ${clockWords(at)}${endWords(why)}; it led for ${lengthWords(at - tookAt)}`,
      data: { role, ended: textOf(at), identity: lead.identity, why, ledForMs: at - tookAt },
    },
  ];
}

function endWords(why: string): string {
  if (why.startsWith('SIG')) return ` in good order (${why})`;
  return why === 'a bug' ? ' by a bug' : `, because ${why}`;
}
