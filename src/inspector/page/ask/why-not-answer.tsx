import { useEffect, useMemo } from 'preact/hooks';
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
  answered,
}: Readonly<{
  turns: readonly ShootTurnTaken[];
  index: number;
  direction: ScaleDirection;
  answered: (answer: string) => void;
}>) {
  const { answer, obstacles, parts } = useMemo(() => whyNotScaled(turns, index, direction), [turns, index, direction]);
  useEffect(() => answered(answer), [answer, answered]);
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
