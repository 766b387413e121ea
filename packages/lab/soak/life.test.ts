import { expect, test } from 'vitest';
import type { Happening } from './happening.ts';
import type { Law } from './law.ts';
import { laws } from './laws.ts';
import { beginning, live, type LifeOptions } from './life.ts';
import type { Observation } from './observation.ts';
import { quietPlan } from './seed-plan.ts';

const shoot = 'shoot--demo--01';

/** A shoot of three nodes in fair weather, with one prober; it ends with the weather unless told. */
function quietLife(happenings: readonly Happening[], options: Partial<LifeOptions> = {}) {
  const plan = {
    ...quietPlan,
    weather: 120_000,
    happenings,
  };
  return live(plan, { laws, endsWithWeather: true, ...options });
}

const cutOff = { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } };

const pause = (at: number, length: number) => ({ at, kind: 'process paused', of: { slot: 'prober-0', length } });

test('an outage breaks no law, marks no node, and all comes back in calm', async () => {
  const seen: Observation[] = [];
  const { broken } = await quietLife([cutOff], { endsWithWeather: false, observe: (one) => void seen.push(one) });
  expect(broken).toBeUndefined();
  expect(seen.filter(({ kind }) => kind === 'marked')).toEqual([]);
  const written = seen.filter((one) => one.kind === 'change' && one.of.scale && one.change.writer);
  // Three Deployments of two replicas: one write down, and two up, the second of which takes mark and record away (6.5).
  expect(written).toHaveLength(3 * (1 + 2));
});

test('where nobody protects a shoot, its marked nodes are told', async () => {
  const seen: Observation[] = [];
  await quietLife([{ at: 29_000, kind: 'process paused', of: { slot: 'prober-0', length: 200_000 } }, cutOff], {
    observe: (one) => void seen.push(one),
  });
  expect(seen.filter(({ kind }) => kind === 'marked')).toHaveLength(3);
});

test('a pause that comes within a longer one does not shorten it', async () => {
  const deeds: string[] = [];
  await quietLife([pause(10_000, 60_000), pause(20_000, 5_000)], {
    observe(one) {
      if (one.kind === 'process') deeds.push(`${Math.round((one.at - beginning) / 1_000)} ${one.did}`);
    },
  });
  expect(deeds).toEqual(['0 started', '10 paused', '20 paused', '70 resumed']);
});

test('a life ends at the first law that breaks, and says when', async () => {
  const law: Law = {
    name: 'nobody writes',
    begin: (_, { breaks }) => ({ change: ({ change }) => change.writer && breaks('somebody wrote') }),
  };
  const { broken, length } = await quietLife([cutOff], { laws: [law] });
  expect(broken).toMatchObject({ law: 'nobody writes', why: 'somebody wrote' });
  expect(broken?.at).toBeGreaterThan(30_000);
  expect(length).toBeLessThan(120_000);
});
