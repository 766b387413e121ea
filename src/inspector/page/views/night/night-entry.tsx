import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { Instant } from '../../../../domain/time.ts';
import { calmText, lengthText } from '../../format/length-text.ts';
import { machineLink, turnLink } from '../../format/links.ts';
import { Mark } from '../../format/mark.tsx';
import { Time } from '../../format/time.tsx';
import { useZone } from '../../format/zone.ts';
import { episodeWords, weightLooks } from './episode-look.ts';
import { StageBar } from './stage-bar.tsx';
import { zonedSentence } from './zoned-sentence.ts';

/** One thing that happened: when, what, to whom, and because of what. `now`: of one that goes on. */
export function NightEntry({ episode, now }: Readonly<{ episode: Episode; now?: Instant }>) {
  const { kind, machine, subject, beganAt, endedAt, weight, turn } = episode;
  const { word, shape, tone } = weightLooks[weight];
  const zone = useZone();
  const until = now ?? endedAt ?? beganAt;
  return (
    <article class={`night-entry night-${weight}`}>
      <div class="night-when">
        <Time at={beganAt} />
        <span class="night-length">
          {endedAt === null ? `for ${calmText(until - beganAt)}` : lengthText(endedAt - beganAt)}
        </span>
      </div>
      <div class="night-what">
        <span class={`format-badge format-${tone}`}>
          <Mark shape={shape} tone={tone} />
          {episodeWords[kind][0]}
        </span>
        <span class="night-weight">{word}</span>
      </div>
      <div class="night-told">
        <p>
          <a class="night-subject" href={machineLink(machine, subject)}>
            {subject}
          </a>{' '}
          {zonedSentence(episode, zone)}{' '}
          <a class="night-link" href={turnLink(turn)} aria-label={`See why: the deciding turn of ${subject}`}>
            See why
          </a>
        </p>
        <NightMore episode={episode} now={until} />
      </div>
    </article>
  );
}

/** Its stages as a bar, and behind that all that is known: each stage with its turn, and what a replay says. */
function NightMore({ episode, now }: Readonly<{ episode: Episode; now: Instant }>) {
  const { stages, lines } = episode;
  if (stages.length === 0 && lines.length === 0) return null;
  return (
    <details class="night-more">
      <summary>
        <StageBar episode={episode} now={now} />
        <span class="night-toggle">more</span>
      </summary>
      <ol class="night-stages">
        {stages.map(({ name, at, after, turn }) => (
          <li key={name}>
            <Time at={at} />
            <span class="night-after">{after === null ? '' : `+${lengthText(after)}`}</span>
            {turn === null ? <span>{name}</span> : <a href={turnLink(turn)}>{name}</a>}
          </li>
        ))}
      </ol>
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </details>
  );
}
