import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { NightFilter } from '../../client/address.ts';
import { dayText, hourText, type Zone } from '../../format/instant-text.ts';

/** Episodes that belong together: those that go on, then those of each hour. */
export type NightGroup = Readonly<{ key: string; title: string; episodes: readonly Episode[] }>;

/** A seed has hundreds of shoots that hibernate all night: more of such that go on would hide what happened. */
export const mostNotable = 5;

/** The title of those that go on. */
export const goingOn = 'Going on now';

/** What the filter leaves, newest first; those that go on come before all others, the most grave of them first. */
export function nightEpisodes(episodes: Iterable<Episode>, filter: NightFilter): readonly Episode[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...episodes]
    .filter(({ kind }) => filter.kinds.length === 0 || filter.kinds.includes(kind))
    .filter(({ endedAt }) => filter.standing === 'all' || (endedAt === null) === (filter.standing === 'running'))
    .filter((episode) => {
      const searched =
        `${episode.kind} ${episode.subject} ${episode.sentence} ${episode.lines.join(' ')}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b) || b.beganAt - a.beganAt || (a.id < b.id ? -1 : 1));
}

/** As they are shown without a filter: of those that go on and weigh little, the youngest few. `left`: how many were left out. */
export function briefly(episodes: readonly Episode[]): Readonly<{ episodes: readonly Episode[]; left: number }> {
  const notable = episodes.filter(({ endedAt, weight }) => endedAt === null && weight === 'notable').slice(mostNotable);
  const out = new Set(notable);
  return { episodes: out.size === 0 ? episodes : episodes.filter((one) => !out.has(one)), left: out.size };
}

/** By hour, in the reader's zone. `episodes` as `nightEpisodes` has them. */
export function nightGroups(episodes: readonly Episode[], zone: Zone): readonly NightGroup[] {
  const groups = Map.groupBy(episodes, (episode) => titleOf(episode, zone));
  return [...groups].map(([title, those]) => ({ key: title, title, episodes: those }));
}

const weights: Readonly<Record<Episode['weight'], number>> = { bad: 0, grave: 1, notable: 2 };

function rank({ endedAt, weight }: Episode): number {
  return endedAt === null ? weights[weight] : Object.keys(weights).length;
}

function titleOf({ endedAt, beganAt }: Episode, zone: Zone): string {
  if (endedAt === null) return goingOn;
  const hour = Number(hourText(beganAt, zone));
  return `${dayText(beganAt, zone)}, ${two(hour)}:00 to ${two((hour + 1) % 24)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
