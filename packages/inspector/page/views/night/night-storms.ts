import { gravityRank, type Episode, type EpisodeWeight } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import { kindWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { clockText, countText, numberText, type Zone } from '../../format/texts.ts';

/** What happens to that many shoots, each soon after the one before, has one cause: a zone or a gateway that fails, or a timer at which they all sleep. */
export const leastOfStorm = 5;
const longestPause: Millis = 10_000;

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
  for (const alike of Map.groupBy(episodes, ({ kind, machine }) => `${kind} ${machine}`).values())
    for (const storm of stormsOf(alike)) for (const one of storm.episodes) stormOf.set(one, storm);
  const told = new Set<NightItem>();
  return episodes.flatMap((episode) => {
    const item = stormOf.get(episode) ?? itemOf(episode.id, [episode]);
    if (told.has(item)) return [];
    told.add(item);
    return [item];
  });
}

function stormsOf(alike: readonly Episode[]): readonly NightItem[] {
  const runs: Episode[][] = [];
  for (const episode of alike.toSorted((a, b) => a.beganAt - b.beganAt)) {
    const before = runs.at(-1)?.at(-1);
    if (before !== undefined && episode.beganAt - before.beganAt <= longestPause) runs.at(-1)?.push(episode);
    else runs.push([episode]);
  }
  return runs
    .filter((run) => new Set(run.map(({ subject }) => subject)).size >= leastOfStorm)
    .map((run) => {
      const [first] = run;
      const gravest = run.toSorted(
        (a, b) => gravityRank(a.weight) - gravityRank(b.weight) || naturalOrder(a.subject, b.subject),
      );
      // An instant in milliseconds: the same storm has the same key wherever it is looked at.
      return itemOf(`${first?.kind}-${Math.floor(first?.beganAt ?? 0)}`, gravest);
    });
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

/** `60 shoots cut off, 00:31:45 to 00:31:51, all back by 00:41:02`. `recorded`: nothing comes any more. */
export function stormWords(storm: NightItem, zone: Zone, recorded: boolean): string {
  const { episodes, beganAt, lastBeganAt } = storm;
  const [{ kind, machine }] = episodes;
  const { befell, over, goesOn } = episodeKinds[kind];
  const subjects = new Set(episodes.map(({ subject }) => subject)).size;
  const ended = episodes.flatMap(({ endedAt }) => endedAt ?? []);
  const open = episodes.length - ended.length;
  const by = ended.length === 0 ? '' : ` by ${clockText(Math.max(...ended), zone)}`;
  const left = `${numberText(open)} ${recorded ? 'open when the record ends' : goesOn}`;
  const ends =
    open === 0 ? `all ${over}${by}` : ended.length === 0 ? left : `${numberText(ended.length)} ${over}${by}, ${left}`;
  return `${countText(subjects, kindWords[machine].noun)} ${befell}, ${clockText(beganAt, zone)} to ${clockText(lastBeganAt, zone)}, ${ends}`;
}

/** What a storm of outages came to: `58 protected in time, the closest 2.1 s before a node could be marked; 2 too late`. Empty for others. */
export function stormOutcome({ episodes }: NightItem): string {
  if (episodes[0].kind !== 'outage') return '';
  const having = (name: string) => episodes.filter(({ stages }) => stages.some((stage) => stage.name === name)).length;
  const [inTime, late, raised] = [having('protected'), having('too late'), having('raised')];
  const margins = episodes.flatMap(({ data }) => (typeof data['marginMs'] === 'number' ? data['marginMs'] : []));
  const least = Math.min(...margins);
  const close =
    least >= 0 && inTime > 0 && Number.isFinite(least)
      ? `, the closest ${lengthWords(least)} before a node could be marked`
      : '';
  const others = episodes.length - inTime - late;
  return [
    inTime === 0 ? '' : `${numberText(inTime)} protected in time${close}`,
    late === 0 ? '' : `${numberText(late)} too late`,
    others === 0 ? '' : `${numberText(others)} not scaled down as a whole`,
    raised === 0 ? '' : `somebody else raised a dependant in ${numberText(raised)}`,
  ]
    .filter(Boolean)
    .join('; ');
}
