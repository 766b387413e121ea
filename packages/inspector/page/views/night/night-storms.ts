import { gravityRank, type Episode, type EpisodeWeight } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import { kindWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { clockText, countText, numberText, type Zone } from '../../format/texts.ts';

/** What happens to that many shoots, each soon after the one before, has one cause: a zone or a gateway that fails, or a timer at which they all sleep. */
export const leastOfStorm = 5;
const longestPause: Millis = 10_000;

/** Services fail one after the other, as their pods notice; each of them comes back by itself. */
const chainPause: Millis = 60_000;

/** An entry of last night: one episode, or a storm of several of one kind. */
export type NightItem = Readonly<{
  key: string;
  /** Of a storm the gravest first, then by name. */
  episodes: readonly [Episode, ...Episode[]];
  beganAt: Instant;
  lastBeganAt: Instant;
  /** When the last of them was over; null while any goes on. */
  endedAt: Instant | null;
  weight: EpisodeWeight;
}>;

/** Puts together what came to many at once. Each storm stands where its first episode stood; all else stays in its order. */
export function nightItems(episodes: readonly Episode[]): readonly NightItem[] {
  const stormOf = new Map<Episode, NightItem>();
  const keep = (storms: readonly NightItem[]) => {
    for (const storm of storms) for (const one of storm.episodes) stormOf.set(one, storm);
  };
  for (const alike of Map.groupBy(episodes, ({ kind, machine }) => `${kind} ${machine}`).values())
    keep(stormsOf(alike));
  // What the seed refuses of one shoot at once, dependant by dependant, has one reason.
  const refusals = episodes.filter((one) => one.kind === 'refusal' && !stormOf.has(one));
  for (const alike of Map.groupBy(refusals, ({ machine, subject }) => `${machine} ${subject}`).values())
    keep(runsOf(alike, longestPause).flatMap((run) => (run.length < 2 ? [] : [stormOfRun(run, run)])));
  const told = new Set<NightItem>();
  return episodes.flatMap((episode) => {
    const item = stormOf.get(episode) ?? itemOf(episode.id, [episode]);
    if (told.has(item)) return [];
    told.add(item);
    return [item];
  });
}

/** Those that came one soon after the other. */
function runsOf(episodes: readonly Episode[], pause: Millis): readonly (readonly Episode[])[] {
  const runs: Episode[][] = [];
  for (const episode of episodes.toSorted((a, b) => a.beganAt - b.beganAt)) {
    const before = runs.at(-1)?.at(-1);
    if (before !== undefined && episode.beganAt - before.beganAt <= pause) runs.at(-1)?.push(episode);
    else runs.push([episode]);
  }
  return runs;
}

function stormsOf(alike: readonly Episode[]): readonly NightItem[] {
  const isRecovery = alike[0]?.kind === 'recovery';
  const [pause, least] = isRecovery ? [chainPause, 2] : [longestPause, leastOfStorm];
  return runsOf(alike, pause).flatMap((run) => {
    const odd = run.filter(isOdd);
    // A few that are otherwise than the rest stand by themselves; where they are many, they are what the storm came to.
    const rest = odd.length > mostLifted ? run : run.filter((one) => !odd.includes(one));
    return new Set(rest.map(({ subject }) => subject)).size < least ? [] : [stormOfRun(run, rest)];
  });
}

function stormOfRun([first]: readonly Episode[], those: readonly Episode[]): NightItem {
  const gravest = those.toSorted(
    (a, b) => gravityRank(a.weight) - gravityRank(b.weight) || naturalOrder(a.subject, b.subject),
  );
  // An instant in milliseconds: the same storm has the same key wherever it is looked at.
  return itemOf(`${first?.kind}-${Math.floor(first?.beganAt ?? 0)}`, gravest);
}

/** So many are lifted out of a storm. */
const mostLifted = 5;

/** Too late, or interfered with; of a recovery, one that left pods, or is down again. */
function isOdd({ kind, weight, odds = [] }: Episode): boolean {
  return weight === 'bad' || odds.length > 0 || (kind === 'recovery' && weight === 'grave');
}

function itemOf(key: string, episodes: readonly Episode[]): NightItem {
  const began = episodes.map(({ beganAt }) => beganAt);
  const goesOn = episodes.some(({ endedAt }) => endedAt === null);
  return {
    key,
    episodes: episodes as NightItem['episodes'],
    beganAt: Math.min(...began),
    lastBeganAt: Math.max(...began),
    endedAt: goesOn ? null : Math.max(...episodes.map(({ endedAt }) => endedAt ?? 0)),
    weight: episodes.map(({ weight }) => weight).toSorted((a, b) => gravityRank(a) - gravityRank(b))[0] ?? 'notable',
  };
}

/** `60 shoots`; where it is one, its name. */
export function stormName({ episodes }: Pick<NightItem, 'episodes'>): string {
  const [{ machine, subject }] = episodes;
  const subjects = new Set(episodes.map((one) => one.subject)).size;
  return subjects === 1 ? subject : countText(subjects, kindWords[machine].noun);
}

/** What befell them, and when: `cut off, 00:31:45 to 00:31:51, all back by 00:41:02`. `recorded`: nothing comes any more. */
export function stormWords({ episodes, beganAt, lastBeganAt }: NightItem, zone: Zone, recorded: boolean): string {
  const { befell, over, goesOn } = episodeKinds[episodes[0].kind];
  const ended = episodes.flatMap(({ endedAt }) => endedAt ?? []);
  const open = episodes.length - ended.length;
  const by = ended.length === 0 ? '' : ` by ${clockText(Math.max(...ended), zone)}`;
  const left = `${numberText(open)} ${recorded ? 'open when the record ends' : goesOn}`;
  const ends =
    open === 0 ? `all ${over}${by}` : ended.length === 0 ? left : `${numberText(ended.length)} ${over}${by}, ${left}`;
  return `${befell}, ${clockText(beganAt, zone)} to ${clockText(lastBeganAt, zone)}, ${ends}`;
}
