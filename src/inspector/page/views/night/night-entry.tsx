import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { Instant } from '../../../../domain/time.ts';
import { calmText, lengthText } from '../../format/length-text.ts';
import { machineLink, turnLink } from '../../format/links.ts';
import { Mark } from '../../format/mark.tsx';
import { Time } from '../../format/time.tsx';
import { episodeWords, weightLooks } from './episode-look.ts';
import { StageBar } from './stage-bar.tsx';

/** One thing that happened: when, what, to whom, and because of what. `now`: of one that goes on. */
export function NightEntry({ episode, now }: Readonly<{ episode: Episode; now?: Instant }>) {
  const { kind, machine, subject, beganAt, endedAt, weight, sentence, lines, stages, turn } = episode;
  const { word, shape, tone } = weightLooks[weight];
  return (
    <article class={`night-entry night-${weight}`}>
      <div class="night-when">
        <Time at={beganAt} />
        <span class="night-length">
          {endedAt === null ? `for ${calmText((now ?? beganAt) - beganAt)}` : lengthText(endedAt - beganAt)}
        </span>
      </div>
      <div class="night-what">
        <span class={`format-badge format-${tone}`}>
          <Mark shape={shape} tone={tone} />
          {episodeWords[kind]}
        </span>
        <span class="night-weight">{word}</span>
      </div>
      <div class="night-told">
        <p>
          <a class="night-subject" href={machineLink(machine, subject)}>
            {subject}
          </a>{' '}
          <a class="night-link" href={turnLink(turn)} aria-label={`${subject}: the turn that decided it`}>
            {sentence}
          </a>
        </p>
        {stages.length > 1 && <StageBar episode={episode} now={now ?? beganAt} />}
        <details class="night-more">
          <summary>more</summary>
          <NightDetails episode={episode} />
          {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
        </details>
      </div>
    </article>
  );
}

/** Each stage with its delay, and the turn in which it came. */
function NightDetails({ episode: { stages } }: Readonly<{ episode: Episode }>) {
  if (stages.length === 0) return null;
  return (
    <ol class="night-stages">
      {stages.map(({ name, at, after, turn }) => (
        <li key={name}>
          <Time at={at} />
          <span class="night-after">{after === null ? '' : `+${lengthText(after)}`}</span>
          {turn === null ? <span>{name}</span> : <a href={turnLink(turn)}>{name}</a>}
        </li>
      ))}
    </ol>
  );
}
