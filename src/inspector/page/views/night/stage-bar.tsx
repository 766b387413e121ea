import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { Instant } from '../../../../domain/time.ts';
import { calmText, lengthText } from '../../format/length-text.ts';
import { stageParts, type StagePart } from './stage-parts.ts';

/** The stages of an episode with the time between them: a bar for the eye, and the same in words. */
export function StageBar({ episode, now }: Readonly<{ episode: Episode; now: Instant }>) {
  const parts = stageParts(episode, now);
  const [first] = episode.stages;
  if (first === undefined || parts.length === 0) return null;
  return (
    <div class="night-bar">
      <Strip parts={parts} />
      <p class="night-legend">
        {first.name}
        {parts.map(({ from, to, length, goesOn }) => (
          <span key={from}>
            {' '}
            <span class="night-arrow" aria-hidden="true">
              →
            </span>{' '}
            <span class="night-delay">{goesOn ? calmText(length) : lengthText(length)}</span>{' '}
            {goesOn ? 'so far' : <>{to}</>}
          </span>
        ))}
      </p>
    </div>
  );
}

const width = 240;
const height = 8;

function Strip({ parts }: Readonly<{ parts: readonly StagePart[] }>) {
  let x = 0;
  return (
    <svg class="night-strip" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
      {parts.map(({ from, share, goesOn }, index) => {
        const left = x;
        x += share * width;
        return (
          <rect
            key={from}
            class={`night-part night-part-${Math.min(index, 4)} ${goesOn ? 'night-goes-on' : ''}`}
            x={left}
            y={0}
            width={Math.max(0, share * width - 1)}
            height={height}
          />
        );
      })}
    </svg>
  );
}
