import type { Fact } from '../../told/explanation.ts';
import { Time } from '../format/time.tsx';

/** Values with their names; an instant stands before its value. */
export function TurnFacts({ facts }: Readonly<{ facts: readonly Fact[] }>) {
  return (
    <dl class="turn-facts">
      {facts.map(({ name, value, at }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>
            {at !== undefined && (
              <>
                <Time at={at} />,{' '}
              </>
            )}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
