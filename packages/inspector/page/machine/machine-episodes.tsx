import { useMemo } from 'preact/hooks';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { episodeKinds } from '../../episodes/episode-words.ts';
import type { Kind } from '../../wire/wire.ts';
import { turnLink } from '../client/address.ts';
import { serverState } from '../client/inspector-client.ts';
import { useStore } from '../client/store.ts';
import { numberText } from '../format/texts.ts';
import { Badge } from '../format/mark.tsx';
import { Time, useZone } from '../format/time.tsx';
import { toldSentence, weightLooks } from '../views/night/night-episodes.ts';

/** As many as one reads at a glance; the night's list has them all. */
const mostShown = 6;

/** What happened to one machine, oldest first, each a link to the turn that decided it; and of the one that is shown, or the last, its sentence. */
export function MachineEpisodes({ kind, subject, at }: Readonly<{ kind: Kind; subject: string; at: Instant | null }>) {
  const episodes = useStore(serverState, ({ episodes }) => episodes);
  const zone = useZone();
  const own = useMemo(() => episodesOf(episodes.values(), kind, subject), [episodes, kind, subject]);
  if (own.length === 0) return null;
  const shown = shownEpisode(own, at);
  const told = shown ?? own.at(-1);
  const left = own.length - mostShown;
  return (
    <nav class="machine-episodes" aria-label="What happened to it">
      <ol class="flow">
        {left > 0 && <li class="quiet">{numberText(left)} before</li>}
        {own.slice(-mostShown).map((episode) => (
          <li key={episode.id}>
            <a href={turnLink(episode.turn)} {...(episode === shown ? { 'aria-current': 'true' as const } : {})}>
              <Badge {...weightLooks[episode.weight]} words={episodeKinds[episode.kind].one} />{' '}
              <Time at={episode.beganAt} />
              <span class="quiet">
                {' '}
                {episode.endedAt === null ? 'open' : lengthWords(episode.endedAt - episode.beganAt)}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {told !== undefined && <p class="machine-told">{toldSentence(told, zone)}</p>}
    </nav>
  );
}

/** Those of one machine, oldest first. */
export function episodesOf(all: Iterable<Episode>, kind: Kind, of: string): readonly Episode[] {
  return [...all]
    .filter(({ machine, subject }) => machine === kind && subject === of)
    .toSorted((one, other) => one.beganAt - other.beganAt);
}

/** The one that the turn at `at` belongs to, of several the last; undefined where it belongs to none. */
export function shownEpisode(episodes: readonly Episode[], at: Instant | null): Episode | undefined {
  if (at === null) return undefined;
  return episodes.findLast(({ beganAt, endedAt }) => beganAt <= at && at <= (endedAt ?? Infinity));
}
