import {
  gravityRank,
  type Episode,
  type EpisodeKind,
  type EpisodeWeight,
} from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import type { LeadEvent } from '../../../episodes/led-runs.ts';
import type { NightFilter, TimeRange } from '../../client/address.ts';
import { dayText, hourText, timeText, numberText, type Zone } from '../../format/texts.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { NightItem } from './night-storms.ts';
import type { Shape, Tone } from '../../../model/states.ts';

/** Episodes that belong together: those that go on, then those of each hour. */
export type NightGroup = Readonly<{ key: string; title: string; items: readonly NightItem[] }>;

/** A seed has hundreds of shoots that hibernate all night: more of such that go on would hide what happened. */
export const mostNotable = 5;

/** The key of the group of those that go on. */
export const goingOn = 'going on';

/** What the filter leaves, in the order of time; those that go on come before all others, the most grave of them first. */
export function nightEpisodes(episodes: Iterable<Episode>, filter: NightFilter): readonly Episode[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...episodes]
    .filter(({ kind }) => filter.kinds.length === 0 || filter.kinds.includes(kind))
    .filter((episode) => isWithin(episode, filter.range))
    .filter(({ endedAt }) => filter.standing === 'all' || (endedAt === null) === (filter.standing === 'running'))
    .filter((episode) => {
      const searched =
        `${episode.kind} ${episode.subject} ${episode.sentence} ${episode.lines.join(' ')}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) || a.beganAt - b.beganAt || naturalOrder(a.subject, b.subject) || naturalOrder(a.id, b.id),
    );
}

/** Whether any of it was in that part of time. */
export function isWithin(
  { beganAt, endedAt }: Pick<Episode, 'beganAt' | 'endedAt'>,
  { from, until }: TimeRange,
): boolean {
  return (endedAt ?? Infinity) >= (from ?? -Infinity) && beganAt <= (until ?? Infinity);
}

/** As they are shown without a filter: of those that go on and weigh little, the youngest few. `left`: how many were left out. */
export function briefly(items: readonly NightItem[]): Readonly<{ items: readonly NightItem[]; left: number }> {
  const notable = items
    .filter(({ endedAt, weight }) => endedAt === null && weight === 'notable')
    .slice(0, -mostNotable);
  const out = new Set(notable);
  return { items: out.size === 0 ? items : items.filter((one) => !out.has(one)), left: out.size };
}

/** At most so many: those that go on, and the youngest of those that are over. */
export function youngest(items: readonly NightItem[], most: number): readonly NightItem[] {
  if (items.length <= most) return items;
  const [open, over] = [
    items.filter(({ endedAt }) => endedAt === null),
    items.filter(({ endedAt }) => endedAt !== null),
  ];
  return [...open.slice(0, most), ...over.slice(Math.min(over.length, items.length - most))];
}

/** By hour, in the reader's zone. `items` of episodes as `nightEpisodes` has them. `endsAt`: when the record ends; null where it goes on. */
export function nightGroups(items: readonly NightItem[], zone: Zone, endsAt: Instant | null): readonly NightGroup[] {
  const groups = Map.groupBy(items, (item) => (item.endedAt === null ? goingOn : hourTitle(item, zone)));
  const open =
    endsAt === null ? 'Going on now' : `Open when the record ends: ${dayText(endsAt, zone)}, ${timeText(endsAt, zone)}`;
  return [...groups].map(([key, those]) => ({ key, title: key === goingOn ? open : key, items: those }));
}

function rank({ endedAt, weight }: Episode): number {
  return endedAt === null ? gravityRank(weight) : Number.MAX_VALUE;
}

function hourTitle({ beganAt }: NightItem, zone: Zone): string {
  const hour = Number(hourText(beganAt, zone));
  return `${dayText(beganAt, zone)}, ${two(hour)}:00 to ${two((hour + 1) % 24)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The time between two stages, as a part of the whole bar. `to`: null from the last stage until now. */
export type StagePart = Readonly<{
  from: string;
  to: string | null;
  length: Millis;
  goesOn: boolean;
}>;

/** The parts of an episode's bar, in order. `now`: for one that goes on. */
export function stageParts(
  { stages, endedAt }: Pick<Episode, 'stages' | 'endedAt'>,
  now: Instant,
): readonly StagePart[] {
  // Another leader changes nothing for the shoot.
  const own = stages.filter(({ name }) => name !== 'new leader');
  const parts = own.slice(1).map((stage, index) => {
    const before = own[index] ?? stage;
    return { from: before.name, to: stage.name, length: Math.max(0, stage.at - before.at), goesOn: false };
  });
  const last = own.at(-1);
  if (last === undefined || endedAt !== null) return parts;
  return [...parts, { from: last.name, to: null, length: Math.max(0, now - last.at), goesOn: true }];
}

/** The sentence of an episode with its times of day in the reader's zone: they are those of its beginning, its end or its stages, in UTC. */
export function zonedSentence(
  { sentence, beganAt, endedAt, stages }: Pick<Episode, 'sentence' | 'beganAt' | 'endedAt' | 'stages'>,
  zone: Zone,
): string {
  if (zone === 'utc') return sentence;
  const instants = [beganAt, ...(endedAt === null ? [] : [endedAt]), ...stages.map(({ at }) => at)];
  const texts = new Map(instants.map((at) => [timeText(at, 'utc'), timeText(at, zone)]));
  return sentence.replaceAll(/\b\d\d:\d\d:\d\d\.\d\b/g, (text) => texts.get(text) ?? `${text} UTC`);
}

/** The same with why it was too late, or is not done with: what others raised, the sentence tells. */
export function toldSentence(episode: Episode, zone: Zone): string {
  const odd = (episode.odds ?? []).filter(({ what }) => what === 'tooLate' || what === 'notReady');
  return [zonedSentence(episode, zone), ...odd.map(({ words }) => `it ${words}`)].join('; ');
}

/** Who took the lead, or ended, with its times in the reader's zone. */
export function leadWords({ sentence, at }: Pick<LeadEvent, 'sentence' | 'at'>, zone: Zone): string {
  return zonedSentence({ sentence, beganAt: at, endedAt: null, stages: [] }, zone);
}

/** `14 outages`. */
export function countedKind(kind: EpisodeKind, count: number): string {
  const { one, several } = episodeKinds[kind];
  return `${numberText(count)} ${count === 1 ? one : several}`;
}

/** How much it weighs: a word, a shape and a tone. */
export const weightLooks: Readonly<Record<EpisodeWeight, Readonly<{ word: string; shape: Shape; tone: Tone }>>> = {
  bad: { word: 'bad', shape: 'diamond', tone: 'cutOff' },
  grave: { word: 'grave', shape: 'warning', tone: 'down' },
  notable: { word: 'notable', shape: 'ring', tone: 'calm' },
};

/**
 * What it means for a shoot or a service while it is so: `danger` is not protected, `held` is scaled down, `refused` could not be done, `returning` comes back;
 * `part` is of some of its nodes; `apart` has no consequence.
 */
export type StageMeaning = 'danger' | 'held' | 'refused' | 'returning' | 'part' | 'apart';

const meanings: Readonly<Record<string, StageMeaning>> = {
  'cut off': 'danger',
  decided: 'danger',
  'cut off in part': 'part',
  lost: 'danger',
  protected: 'held',
  'too late': 'held',
  raised: 'danger',
  'scaled down again': 'held',
  down: 'held',
  refused: 'refused',
  'connected again': 'returning',
  'brought back': 'returning',
  back: 'returning',
  'first pod deleted': 'returning',
  'last pod deleted': 'returning',
};

/** Of the time that follows a stage. */
export function stageMeaning(name: string): StageMeaning {
  return (Object.hasOwn(meanings, name) ? meanings[name] : undefined) ?? 'apart';
}
