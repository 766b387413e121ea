import { expect, test } from 'vitest';
import { observeTurns } from '../../src/adapters/record/facts/turns.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

test('9.1 an observer that throws is reported by its name, and the others see every turn', () => {
  const seen: number[] = [];
  const faults: string[] = [];
  const observe = observeTurns(
    {
      broken: ({ seq }) => {
        if (seq % 10 === 0) throw new Error(`at ${seq}`);
      },
      whole: ({ seq }) => void seen.push(seq),
    },
    (observer, error) => faults.push(`${observer} ${String(error)}`),
  );
  for (const turn of story) observe(turn);
  expect(seen).toEqual(story.map(({ seq }) => seq));
  expect(faults.slice(0, 2)).toEqual(['broken Error: at 10', 'broken Error: at 20']);
});
