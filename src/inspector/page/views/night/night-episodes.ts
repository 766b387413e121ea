import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { NightFilter } from '../../client/address.ts';
import { dayText, hourText, type Zone } from '../../format/instant-text.ts';

/** Episodes that belong together: those that go on, then those of each hour. */
export type NightGroup = Readonly<{ key: string; title: string; episodes: readonly Episode[] }>;

/** What the filter leaves, newest first; those that go on come before all others. */
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

/** By hour, in the reader's zone. `episodes` as `nightEpisodes` has them. */
export function nightGroups(episodes: readonly Episode[], zone: Zone): readonly NightGroup[] {
  const groups = Map.groupBy(episodes, (episode) => titleOf(episode, zone));
  return [...groups].map(([title, those]) => ({ key: title, title, episodes: those }));
}

function rank({ endedAt }: Episode): number {
  return endedAt === null ? 0 : 1;
}

function titleOf({ endedAt, beganAt }: Episode, zone: Zone): string {
  if (endedAt === null) return 'Going on now';
  const hour = Number(hourText(beganAt, zone));
  return `${dayText(beganAt, zone)}, ${two(hour)}:00 to ${two((hour + 1) % 24)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
