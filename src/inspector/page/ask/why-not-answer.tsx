import { useMemo } from 'preact/hooks';
import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import { whyNotScaled } from '../../told/why-not.ts';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { WhyNotDependants } from './why-not-dependants.tsx';
import { WhyNotObstacles } from './why-not-obstacles.tsx';

/** What stood in the way of scaling down, or up, where the turn at `index` had ended. */
export function WhyNotAnswer({
  turns,
  index,
  direction,
}: Readonly<{ turns: readonly ShootTurnTaken[]; index: number; direction: ScaleDirection }>) {
  const { answer, obstacles, dependants } = useMemo(
    () => whyNotScaled(turns, index, direction),
    [turns, index, direction],
  );
  return (
    <>
      <p class="ask-answer" aria-live="polite">
        {answer}
      </p>
      <WhyNotObstacles obstacles={obstacles} />
      {dependants.length > 0 && <WhyNotDependants dependants={dependants} direction={direction} />}
    </>
  );
}
