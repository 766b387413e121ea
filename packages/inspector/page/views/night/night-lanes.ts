import { gravityRank, type Episode, type EpisodeWeight } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import type { Lead } from '../../../episodes/led-runs.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { shortestWindow, type TimeWindow } from '../../../model/timeline/time-window.ts';
import type { Kind } from '../../../wire/wire.ts';
import type { TimeRange } from '../../client/address.ts';
import { clockText, type Zone } from '../../format/texts.ts';
import { leadWords, stageMeaning, stageParts, zonedSentence, type StageMeaning } from './night-episodes.ts';
import { stormName, stormWords, type NightItem } from './night-storms.ts';

/** A stretch of a bar: what it means while it is so, and from which stage to which: `protected → connected again`. */
type BarPart = Readonly<{ from: Instant; until: Instant; means: StageMeaning; words: string }>;

/** What happened from `from` to `until`, and the turn that decided it. `words`: for whoever asks, or cannot see it. */
export type NightBar = Readonly<{
  key: string;
  from: Instant;
  until: Instant;
  weight: EpisodeWeight;
  words: string;
  turn: TurnName | null;
  parts: readonly BarPart[];
}>;

/** One line of the night. `of`: the shoot, or the service; null of a storm, of the leaders and of the seed. `storm`: the key of the one that it tells. */
export type NightLane = Readonly<{
  key: string;
  name: string;
  of: Readonly<{ kind: Kind; subject: string }> | null;
  storm: string | null;
  bars: readonly NightBar[];
}>;

/** What the seed refuses concerns more than the one shoot that it is told of. */
const ofSeed: ReadonlySet<Episode['kind']> = new Set<Episode['kind']>(['refusal', 'bug']);

/** What several entries tell of one shoot needs no lane of its own. */
function isStorm({ episodes: [first, ...others] }: NightItem): boolean {
  return others.some(({ subject }) => subject !== first.subject);
}

type NightClock = Readonly<{ now: Instant; zone: Zone; recorded: boolean }>;

/**
 * The night as lanes, in the order in which they begin: each shoot and service, and each storm; beneath them who led, and what the seed refused and
 * what failed in us. Those of a storm have lanes of their own once it is open. A lane without anything in the window is left out.
 */
export function nightLanes(
  items: readonly NightItem[],
  leads: readonly Lead[],
  window: TimeWindow,
  open: readonly string[],
  clock: NightClock,
): readonly NightLane[] {
  const storms = items.filter(isStorm);
  const alone = items.flatMap((item) => (!isStorm(item) || open.includes(item.key) ? item.episodes : []));
  const [trouble, others] = [
    alone.filter(({ kind }) => ofSeed.has(kind)),
    alone.filter(({ kind }) => !ofSeed.has(kind)),
  ];
  const inSight = ({ from, until }: NightBar) => until >= window.from && from <= window.until;
  const own = [
    ...storms.map((storm): NightLane => ({
      key: storm.key,
      name: stormName(storm),
      of: null,
      storm: storm.key,
      bars: [stormBar(storm, clock)],
    })),
    ...[...Map.groupBy(others, ({ machine, subject }) => `${machine} ${subject}`)].map(
      ([key, [first, ...rest]]): NightLane => {
        const of = { kind: first?.machine ?? 'shoot', subject: first?.subject ?? '' };
        const bars = [first, ...rest].flatMap((one) => (one === undefined ? [] : [barOf(one, clock)]));
        return { key, name: of.subject, of, storm: null, bars: gravestLast(bars) };
      },
    ),
  ];
  const begins = ({ bars }: NightLane) => Math.min(...bars.map(({ from }) => from));
  return [
    ...own.toSorted((one, other) => begins(one) - begins(other) || naturalOrder(one.name, other.name)),
    laneOf(
      'leads',
      'who led',
      leads.flatMap((lead) => leadBars(lead, clock)),
    ),
    laneOf('seed', 'refused, or failed', gravestLast(trouble.map((one) => barOf(one, clock)))),
  ]
    .map((lane) => ({ ...lane, bars: lane.bars.filter(inSight) }))
    .filter(({ bars }) => bars.length > 0);
}

function laneOf(key: string, name: string, bars: readonly NightBar[]): NightLane {
  return { key, name, of: null, storm: null, bars };
}

/** `shoot--`, where all of several names begin with it: it tells none of them from the others. What follows, as their project, may. */
export function sharedPrefix(names: readonly string[]): string {
  const [prefix = ''] = /^.+?--/.exec(names[0] ?? '') ?? [];
  return names.length > 1 && names.every((name) => name.startsWith(prefix)) ? prefix : '';
}

/** What the headline counts is seen, however it ended. */
const counted: ReadonlySet<Episode['kind']> = new Set<Episode['kind']>(['outage', 'recovery']);

/** What is seen of a night: the range that somebody chose; else from the first to the last of what was grave or is counted, or of all that there is. */
export function nightWindow(
  items: readonly NightItem[],
  { from, until }: TimeRange,
  now: Instant,
): TimeWindow | undefined {
  const grave = items.filter(({ weight, episodes: [{ kind }] }) => weight !== 'notable' || counted.has(kind));
  const seen = grave.length > 0 ? grave : items;
  if (seen.length === 0 && (from === null || until === null)) return undefined;
  const begin = from ?? Math.min(...seen.map(({ beganAt }) => beganAt));
  const end = until ?? Math.max(begin, ...seen.map(({ endedAt }) => endedAt ?? now));
  const margin = Math.max(end - begin, shortestWindow) * marginFraction;
  return { from: from ?? begin - margin, until: until ?? end + margin };
}

const marginFraction = 0.02;

function barOf(episode: Episode, { now, zone }: NightClock): NightBar {
  const { id, kind, subject, beganAt, endedAt, weight, turn } = episode;
  const until = endedAt ?? now;
  const words = `${subject}: ${episodeKinds[kind].one} from ${clockText(beganAt, zone)}: ${zonedSentence(episode, zone)}`;
  return { key: id, from: beganAt, until, weight, words, turn, parts: partsOf(episode, until) };
}

/** Of many: the last of them to come to each stage tells when all of them had. */
function stormBar(storm: NightItem, { now, zone, recorded }: NightClock): NightBar {
  const { key, episodes, beganAt, endedAt, weight } = storm;
  const [gravest] = episodes;
  const last = new Map<string, Instant>();
  for (const { name, at } of episodes.flatMap(({ stages }) => stages))
    last.set(name, Math.max(at, last.get(name) ?? at));
  const stages = [...last]
    .map(([name, at]) => ({ name, at, after: null, turn: null }))
    .toSorted((one, other) => one.at - other.at);
  const until = endedAt ?? now;
  const [first, ...rest] = stages;
  const begun = first === undefined ? [] : [{ ...first, at: beganAt }, ...rest];
  const parts = partsOf({ stages: begun, endedAt }, until);
  return {
    key,
    from: beganAt,
    until,
    weight,
    words: `${stormName(storm)} ${stormWords(storm, zone, recorded)}`,
    turn: gravest.turn,
    parts,
  };
}

function partsOf(episode: Pick<Episode, 'stages' | 'endedAt'>, until: Instant): readonly BarPart[] {
  let from = episode.stages[0]?.at ?? until;
  return stageParts(episode, until).map(({ from: stage, to, length }) => {
    const words = to === null ? `${stage}, and goes on` : `${stage} → ${to}`;
    const part = { from, until: from + length, means: stageMeaning(stage), words };
    from = part.until;
    return part;
  });
}

/** For how long somebody led, and above that a mark where it took the lead, or ended. */
function leadBars({ run, leader, until, events }: Lead, { now, zone }: NightClock): readonly NightBar[] {
  const bare = { turn: null, parts: [], weight: 'notable' } as const;
  return [
    { ...bare, key: run, from: leader.tookAt, until: until ?? now, words: `${leader.words} led` },
    ...events.map(({ id, at, weight, ...told }) => {
      const words = leadWords({ at, ...told }, zone);
      return { ...bare, key: id, from: at, until: at, weight, words };
    }),
  ];
}

/** Where several lie over each other, the gravest is on top. */
function gravestLast(bars: readonly NightBar[]): readonly NightBar[] {
  return bars.toSorted((one, other) => gravityRank(other.weight) - gravityRank(one.weight) || one.from - other.from);
}
