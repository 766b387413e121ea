import { useMemo } from 'preact/hooks';
import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import { whyNotScaled } from '../../told/why-not.ts';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { WhyNotObstacles } from './why-not-obstacles.tsx';
import { WhyNotParts } from './why-not-parts.tsx';

/** What stood in the way of scaling down, or up, where the turn at `index` had ended. */
export function WhyNotAnswer({
  turns,
  index,
  direction,
}: Readonly<{ turns: readonly ShootTurnTaken[]; index: number; direction: ScaleDirection }>) {
  const { answer, obstacles, parts } = useMemo(() => whyNotScaled(turns, index, direction), [turns, index, direction]);
  return (
    <>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
      <WhyNotParts
        parts={parts}
        noun="Dependant"
        heading={`Each dependant, in the order in which they go ${direction}`}
      />
    </>
  );
}
