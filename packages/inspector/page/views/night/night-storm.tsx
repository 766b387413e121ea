import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import { turnLink } from '../../client/address.ts';
import { countText } from '../../format/texts.ts';
import { useZone } from '../../format/time.tsx';
import { NightEntry, NightRow } from './night-entry.tsx';
import { stormOutcome, stormWords, type NightItem } from './night-storms.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';

/** Of one storm; the filter finds the others. */
const mostOpened = 250;

/** Many of one kind at once as one entry, and behind it each of them. */
export function NightStorm(
  props: Readonly<{
    storm: NightItem;
    recorded: boolean;
    now: Instant | undefined;
    isOpen: boolean;
    toggle: () => void;
  }>,
) {
  const { storm, recorded, now, isOpen, toggle } = props;
  const zone = useZone();
  const { episodes, beganAt, endedAt, weight, key } = storm;
  const [gravest] = episodes;
  const outcome = stormOutcome(storm);
  const left = episodes.length - mostOpened;
  return (
    <>
      <NightRow
        {...{ beganAt, weight }}
        lasted={endedAt === null ? '' : lengthWords(endedAt - beganAt)}
        words={`${episodes.length} ${episodeKinds[gravest.kind].several}`}
        id={`night-${key}`}
      >
        <p>
          <strong>{stormWords(storm, zone, recorded)}</strong>
          {outcome === '' ? '' : `; ${outcome}`}{' '}
          <a
            class="night-link"
            href={turnLink(gravest.turn)}
            aria-label={`See why: the deciding turn of ${gravest.subject}, the gravest of them`}
          >
            See why
          </a>
        </p>
        <button type="button" class="night-opens" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Close' : `Open ${countText(episodes.length, 'entry').replace('entrys', 'entries')}`}
        </button>
      </NightRow>
      {isOpen && (
        <div class="night-inner" role="group" aria-label={stormWords(storm, zone, recorded)}>
          {episodes.slice(0, mostOpened).map((episode) => (
            <NightEntry
              key={episode.id}
              episode={episode}
              recorded={recorded}
              {...(episode.endedAt === null && now !== undefined ? { now } : {})}
            />
          ))}
          {left > 0 && <p class="night-left">{left} more are not shown: the filter finds them by their names.</p>}
        </div>
      )}
    </>
  );
}
