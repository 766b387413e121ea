import type { Obstacle } from '../../told/why-not-obstacle.ts';
import { Rules } from './rules.tsx';

/** What stood in the way, first things first, each with its values and rules. */
export function WhyNotObstacles({ obstacles }: Readonly<{ obstacles: readonly Obstacle[] }>) {
  if (obstacles.length === 0) return null;
  return (
    <>
      <h3>What stood in the way, first things first</h3>
      <ol class="ask-obstacles">
        {obstacles.map(({ kind, sentence, saw, rules }) => (
          <li key={kind}>
            <p>
              {sentence} <Rules rules={rules} />
            </p>
            {saw.length > 0 && (
              <dl class="ask-facts">
                {saw.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
