import type { Obstacle } from '../../told/why-not-obstacle.ts';
import { turnLink } from '../format/links.ts';
import { TurnFacts } from '../turn/turn-facts.tsx';
import { Rules } from './rules.tsx';

/** What stood in the way, first things first, each with its values and rules. */
export function WhyNotObstacles({ obstacles }: Readonly<{ obstacles: readonly Obstacle[] }>) {
  if (obstacles.length === 0) return null;
  return (
    <>
      <h3>What stood in the way, first things first</h3>
      <ol class="ask-obstacles">
        {obstacles.map(({ kind, sentence, saw, rules, turn }) => (
          <li key={kind}>
            <p>
              {sentence} <Rules rules={rules} />
            </p>
            <TurnFacts facts={saw} />
            {turn !== undefined && <a href={turnLink(turn)}>Show turn {turn.seq}, which decided it</a>}
          </li>
        ))}
      </ol>
    </>
  );
}
