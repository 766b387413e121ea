import { expect, test } from 'vitest';
import type { Happening } from '../happening.ts';
import { live } from '../life.ts';
import { quietPlan } from '../quiet-plan.ts';

/** When each process started, in seconds of the life, and what it ended by. */
async function deedsOf(...happenings: Happening[]): Promise<readonly string[]> {
  const deeds: string[] = [];
  let beganAt: number | undefined;
  const plan = {
    ...quietPlan,
    replicas: { prober: 2, weeder: 0 },
    weather: 200_000,
    happenings,
  };
  await live(plan, {
    laws: [],
    endsWithWeather: true,
    observe(seen) {
      beganAt ??= seen.at;
      if (seen.kind === 'process')
        deeds.push(`${Math.round((seen.at - beganAt) / 1_000)} ${seen.process} ${seen.why ?? seen.did}`);
    },
  });
  return deeds.slice(2);
}

test('a crash loop is slowed by the back-off of the kubelet', async () => {
  const deeds = await deedsOf({
    at: 1_000,
    kind: 'crash loop',
    of: { slot: 'prober-1', length: 100_000, lives: 100 },
  });
  const starts = deeds.filter((deed) => deed.endsWith('started')).map((deed) => Number(deed.split(' ')[0]));
  const pauses = starts.slice(1).map((start, index) => start - starts[index]!);
  expect(starts.length).toBeGreaterThan(3);
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect(pauses[1]).toBeGreaterThanOrEqual(20);
});

test('both replicas crash at once, and both come back', async () => {
  expect(await deedsOf({ at: 5_000, kind: 'all processes crashed', of: { length: 1_000 } })).toEqual([
    '5 prober-0#1 crashed',
    '5 prober-1#1 crashed',
    '6 prober-0#2 started',
    '6 prober-1#2 started',
  ]);
});

test('a wall clock that is set back ends its process, and one that is set forward does not', async () => {
  const back = { at: 5_000, kind: 'clock set', of: { slot: 'prober-0', by: -60_000 } };
  const forward = { at: 5_000, kind: 'clock set', of: { slot: 'prober-1', by: 60_000 } };
  expect(await deedsOf(back, forward)).toEqual([
    expect.stringMatching(/^\d prober-0#1 the clock was set back by/),
    expect.stringMatching(/^\d prober-0#2 started/),
  ]);
});
