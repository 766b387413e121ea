import type { Obstacle, WhyNot } from '../../told/why-not-obstacle.ts';
import { turnLink } from '../format/links.ts';
import { TurnFacts } from '../turn/turn-facts.tsx';
import { Rules } from './rules.tsx';

/** The answer with what it goes by; below it what else stood in the way, in order. */
export function WhyNotObstacles({ answer, obstacles }: Pick<WhyNot, 'answer' | 'obstacles'>) {
  const [first, ...others] = obstacles;
  return (
    <>
      <p class="ask-answer">{answer}</p>
      {first !== undefined && <Grounds {...first} />}
      {others.length > 0 && (
        <>
          <h3>What stood in the way after that</h3>
          <ol class="ask-obstacles">
            {others.map((one) => (
              <li key={one.kind}>
                <p>{one.sentence}</p>
                <Grounds {...one} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

/** Its rules, what was compared, and the turn that it is about. */
function Grounds({ saw, rules, turn }: Obstacle) {
  return (
    <>
      <p>
        <Rules rules={rules} />
        {turn !== undefined && (
          <>
            {' · '}
            <a href={turnLink(turn)}>turn {turn.seq}, which decided it</a>
          </>
        )}
      </p>
      <TurnFacts facts={saw} />
    </>
  );
}
