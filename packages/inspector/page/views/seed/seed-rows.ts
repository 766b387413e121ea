import { expiredWords, externalWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { counted, timesWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { readyWords } from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { allTime, type SeedFilter, type TimeRange } from '../../client/address.ts';
import { isWithin } from '../night/night-episodes.ts';
import type { ServiceRow, ShootRow } from '../../../model/rows.ts';
import type { Kind } from '../../../wire/wire.ts';
import { rankOf, serviceStanding, type SeedStanding } from './seed-standing.ts';

/** A line of the seed, for a shoot or a service. */
export type SeedRow = Readonly<{
  kind: Kind;
  subject: string;
  state: string;
  standing: SeedStanding;
  /** Of the standing; 0 for the most grave. */
  rank: number;
  since: Instant | null;
  /** What its leases, or its endpoints, say. */
  judged: string;
  /** When it does something by itself: its next probe, or the end of its window. */
  nextAt: Instant | null;
  /** What is at 0, and whatever else is not as it should be. */
  odd: string;
  /** All that a filter looks into, in lower case. */
  searched: string;
}>;

/** The machines to which something happened in that part of time, each as `kind subject`; undefined where all time is asked for. */
export function touchedIn(episodes: Iterable<Episode>, range: TimeRange): ReadonlySet<string> | undefined {
  if (range === allTime) return undefined;
  const then = [...episodes].filter((episode) => isWithin(episode, range));
  return new Set(then.map(({ machine, subject }) => `${machine} ${subject}`));
}

/** All lines in the order and with the filter that are asked for. `touched`: these alone. */
export function seedRows(
  shoots: Iterable<ShootRow>,
  services: Iterable<ServiceRow>,
  filter: SeedFilter,
  touched?: ReadonlySet<string>,
): readonly SeedRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const standings = new Set(filter.standings);
  const rows = allSeedRows(shoots, services)
    .filter(({ kind, subject }) => touched?.has(`${kind} ${subject}`) !== false)
    .filter(({ standing }) => standings.size === 0 || standings.has(standing))
    .filter(({ searched }) => words.every((word) => searched.includes(word)));
  // They come by name, nearly: then sorting by name costs next to nothing, and names are compared no more after that.
  const byNames = rows.toSorted(byName);
  return filter.order === 'name' ? byNames : byNames.toSorted(compared[filter.order]);
}

/** All lines, unsorted. */
export function allSeedRows(shoots: Iterable<ShootRow>, services: Iterable<ServiceRow>): readonly SeedRow[] {
  return [
    ...Array.from(shoots, (row) => lineOf(row, shootLine)),
    ...Array.from(services, (row) => lineOf(row, serviceLine)),
  ];
}

/** How many there are of each standing, the most grave first; those of which there is none are left out. */
export function countStandings(
  rows: readonly SeedRow[],
): readonly Readonly<{ standing: SeedStanding; count: number }>[] {
  const counts = new Map<SeedStanding, number>();
  for (const { standing } of rows) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  return [...counts]
    .map(([standing, count]) => ({ standing, count }))
    .toSorted((a, b) => rankOf(a.standing) - rankOf(b.standing));
}

// Within a standing lines stay where they are, by name: what moves while one reads is lost.
const byName = (a: SeedRow, b: SeedRow) => naturalOrder(a.subject, b.subject) || naturalOrder(a.kind, b.kind);

const compared = {
  consequence: (a: SeedRow, b: SeedRow) => a.rank - b.rank,
  // The youngest change first; what the journal does not know comes last.
  since: (a: SeedRow, b: SeedRow) => (b.since ?? 0) - (a.since ?? 0),
};

/** A row of the server is told anew when it changes and stays the same otherwise, so its line is made once. */
const lines = new WeakMap<object, SeedRow>();

function lineOf<Row extends object>(row: Row, make: (row: Row) => SeedRow): SeedRow {
  const known = lines.get(row);
  if (known !== undefined) return known;
  const line = make(row);
  lines.set(row, line);
  return line;
}

function shootLine(row: ShootRow): SeedRow {
  const { shoot, state, standing, since, nextProbeAt, down } = row;
  const [judged, odd] = [judgedWords(row), oddWords(row)];
  const line = withSearch({ kind: 'shoot', subject: shoot, state, standing, since, judged, nextAt: nextProbeAt, odd });
  // As in `status`, a mark in a shoot that nobody scales now is at odds with what should be, and comes first.
  return standing === 'leftAlone' && down.some(({ byUs }) => byUs) ? { ...line, rank: 0 } : line;
}

function serviceLine(row: ServiceRow): SeedRow {
  const { service, state, since, readyEndpoints, endpoints, windowEndsAt, deleted, crashLooping } = row;
  const judged = readyWords({ ready: readyEndpoints, endpoints });
  const odd = [
    ...(crashLooping > 0 ? [counted(crashLooping, 'crash-looping pod')] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
  ].join(', ');
  const standing = serviceStanding(row);
  return withSearch({ kind: 'weeder', subject: service, state, standing, since, judged, nextAt: windowEndsAt, odd });
}

function judgedWords(row: ShootRow): string {
  const { verdict, paths, paused, failuresInRow } = row;
  if (paused !== null) return paused;
  const internalFailures = paths?.internalFailures ?? 0;
  const failed =
    internalFailures > 0
      ? `internal path failed ${timesWords(internalFailures)}`
      : failuresInRow === 0
        ? ''
        : `${counted(failuresInRow, 'probe')} failed`;
  if (verdict === null) return failed;
  const external = paths?.external ?? { count: 0, of: 1 };
  const said =
    paths === undefined || verdict === 'tooFew' || verdict === 'unjudged'
      ? expiredWords.line(row)
      : externalWords.line({ verdict, external });
  return [failed, said].filter(Boolean).join('; before that ');
}

function oddWords({ down, refused }: ShootRow): string {
  const names = (byUs: boolean) => down.filter((one) => one.byUs === byUs).map(({ name }) => name);
  const [ours, others] = [names(true), names(false)];
  return [
    ours.length === 0 ? '' : `${ours.length} at 0: ${ours.join(', ')}`,
    others.length === 0 ? '' : `${others.length} at 0 by others: ${others.join(', ')}`,
    refused.length === 0 ? '' : `refused: ${refused.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function withSearch(line: Omit<SeedRow, 'searched' | 'rank'>): SeedRow {
  const { kind, subject, state, standing, judged, odd } = line;
  const noun = kind === 'shoot' ? 'shoot' : 'service';
  return { ...line, rank: rankOf(standing), searched: `${noun} ${subject} ${state} ${judged} ${odd}`.toLowerCase() };
}
