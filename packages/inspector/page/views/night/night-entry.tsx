import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { ComponentChildren } from 'preact';
import { episodeKinds, episodeLines } from '../../../episodes/episode-words.ts';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { CopyButton } from '../../format/controls.tsx';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { calmText } from '../../format/texts.ts';
import { machineLink, turnLink } from '../../client/address.ts';
import { Badge } from '../../format/mark.tsx';
import { Time, useZone } from '../../format/time.tsx';
import { stageMeaning, stageParts, weightLooks, zonedSentence } from './night-episodes.ts';

/** `recorded`: nothing comes any more, so what goes on was open when the record ended. */
type Shown = Readonly<{ episode: Episode; recorded: boolean }>;

/** One thing that happened: when, what, to whom, and because of what. `now`: of one that goes on. */
export function NightEntry({ episode, recorded, now }: Shown & Readonly<{ now?: Instant }>) {
  const { kind, machine, subject, beganAt, endedAt, weight, turn } = episode;
  const zone = useZone();
  const until = now ?? endedAt ?? beganAt;
  return (
    <NightRow
      {...{ beganAt, weight }}
      lasted={endedAt === null ? `for ${calmText(until - beganAt)}` : lengthWords(endedAt - beganAt)}
      words={episodeKinds[kind].one}
    >
      <p>
        <a class="night-subject" href={machineLink(machine, subject)}>
          {subject}
        </a>{' '}
        {zonedSentence(episode, zone)}{' '}
        <a class="night-link" href={turnLink(turn)} aria-label={`See why: the deciding turn of ${subject}`}>
          See why
        </a>{' '}
        <CopyButton
          label="Copy text"
          what={`of what happened to ${subject}, for a ticket`}
          text={() => episodeLines(episode).join('\n')}
        />
      </p>
      <NightMore episode={episode} recorded={recorded} now={until} />
    </NightRow>
  );
}

/** A row of the night: when it began and how long it lasted, what it is and how much it weighs, and beside that what is told. */
export function NightRow(
  props: Pick<Episode, 'beganAt' | 'weight'> &
    Readonly<{ lasted: string; words: string; id?: string; children: ComponentChildren }>,
) {
  const { beganAt, weight, lasted, words, id, children } = props;
  const { word, shape, tone } = weightLooks[weight];
  return (
    <article class={`night-entry night-${weight}`} {...(id === undefined ? {} : { id })}>
      <div class="night-when">
        <Time at={beganAt} />
        <span class="quiet">{lasted}</span>
      </div>
      <div class="night-what">
        <Badge words={words} shape={shape} tone={tone} />
        <span class="quiet">{word}</span>
      </div>
      <div class="night-told">{children}</div>
    </article>
  );
}

/** Its stages as a bar, and behind that all that is known: each stage with its turn, and what a replay says. */
function NightMore({ episode, recorded, now }: Shown & Readonly<{ now: Instant }>) {
  const { stages, lines } = episode;
  if (stages.length === 0 && lines.length === 0) return null;
  return (
    <details class="night-more">
      <summary>
        <StageBar episode={episode} recorded={recorded} now={now} />
        <span class="night-toggle">more</span>
      </summary>
      <ol class="night-stages">
        {stages.map(({ name, at, after, turn }) => (
          <li key={name}>
            <Time at={at} />
            <span class="quiet">{after === null ? '' : `+${lengthWords(after)}`}</span>
            {turn === null ? <span>{name}</span> : <a href={turnLink(turn)}>{name}</a>}
          </li>
        ))}
      </ol>
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </details>
  );
}

/** The stages of an episode with the time between them: a bar for the eye, and the same in words. */
function StageBar({ episode, recorded, now }: Shown & Readonly<{ now: Instant }>) {
  const parts = stageParts(episode, now);
  const [first] = episode.stages;
  if (first === undefined || parts.length === 0) return null;
  const hasLength = parts.some(({ length }) => length > 0);
  return (
    <>
      <span class="night-strip" aria-hidden="true">
        {parts.map(({ from, length }) => (
          <i
            key={from}
            class={`night-${stageMeaning(from)}`}
            ref={(part) => part?.style.setProperty('flex-grow', String(hasLength ? length : 1))}
          />
        ))}
      </span>
      <span class="quiet">
        {first.name}
        {parts.map(({ from, to, length, goesOn }) => (
          <span key={from}>
            <span class="night-arrow" aria-hidden="true">
              →
            </span>
            <span class="night-delay">{goesOn ? calmText(length) : lengthWords(length)}</span>{' '}
            {goesOn ? (recorded ? 'until the record ends' : 'so far') : to}
          </span>
        ))}
      </span>
    </>
  );
}
