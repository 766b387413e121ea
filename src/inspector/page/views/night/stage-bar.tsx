import type { Episode } from '../../../../adapters/episodes/episode.ts';
import type { Instant } from '../../../../domain/time.ts';
import { calmText, lengthText } from '../../format/length-text.ts';
import { stageMeaning, type StageMeaning } from './episode-look.ts';
import { stageParts, type StagePart } from './stage-parts.ts';

/** The stages of an episode with the time between them: a bar for the eye, and the same in words. */
export function StageBar({ episode, now }: Readonly<{ episode: Episode; now: Instant }>) {
  const parts = stageParts(episode, now);
  const [first] = episode.stages;
  if (first === undefined || parts.length === 0) return null;
  return (
    <>
      <Strip parts={parts} />
      <span class="night-legend">
        {first.name}
        {parts.map(({ from, to, length, goesOn }) => (
          <span key={from}>
            <span class="night-arrow" aria-hidden="true">
              →
            </span>
            <span class="night-delay">{goesOn ? calmText(length) : lengthText(length)}</span> {goesOn ? 'so far' : to}
          </span>
        ))}
      </span>
    </>
  );
}

const width = 240;
const height = 10;

/** What endangers is high, what waits is lower, what returns is low: the bar is read without colour. */
const heights: Readonly<Record<StageMeaning, number>> = {
  danger: 10,
  refused: 8,
  held: 6,
  returning: 3,
  apart: 2,
};

function Strip({ parts }: Readonly<{ parts: readonly StagePart[] }>) {
  return (
    <svg class="night-strip" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {parts.map(({ from, at, share, goesOn }) => {
        const meaning = stageMeaning(from);
        return (
          <rect
            key={from}
            class={`night-${meaning}`}
            x={at * width}
            y={height - heights[meaning]}
            width={Math.max(0, share * width - (goesOn ? 0 : 1))}
            height={heights[meaning]}
          />
        );
      })}
    </svg>
  );
}
