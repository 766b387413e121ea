import { expect, test } from 'vitest';
import type { Happening } from './happening.ts';
import { beginning, live } from './life.ts';
import { quietPlan } from './seed-plan.ts';

const shoot = 'shoot--demo--01';

/** An outage of a shoot with three nodes, from 30 s to 230 s: when Machines were replaced, in seconds, and how many nodes there are at its end and after it. */
async function lived(...more: Happening[]) {
  const replaced: number[] = [];
  const nodes: number[] = [];
  const plan = {
    ...quietPlan,
    machineHealthTimeout: 60_000,
    weather: 300_000,
    happenings: [
      ...more,
      { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
      { at: 230_000, kind: 'nodes healed', shoot },
    ],
  };
  await live(plan, {
    laws: [
      {
        name: 'none',
        begin: (scene) => ({
          replaced: ({ at }) => void replaced.push(Math.round((at - beginning) / 1_000)),
          happening({ happening: { kind } }) {
            if (kind === 'nodes healed') nodes.push(scene.seed.shoot(shoot).nodes.length);
          },
        }),
      },
    ],
    endsWithWeather: true,
    atEnd: ({ seed }) => void nodes.push(seed.shoot(shoot).nodes.length),
  });
  return { replaced, nodes };
}

test('where nobody protects a shoot, one Machine at a time is replaced, and the new one joins when the outage is over', async () => {
  const { replaced, nodes } = await lived({
    at: 25_000,
    kind: 'process paused',
    of: { slot: 'prober-0', length: 270_000 },
  });
  expect(replaced).toHaveLength(1);
  // Unknown after 40 to 55 s, and for a minute.
  expect(replaced[0]).toBeGreaterThan(30 + 40 - 10 + 60);
  expect(replaced[0]).toBeLessThan(30 + 55 + 62);
  expect(nodes).toEqual([2, 3]);
});

test('none is replaced while the shoot is protected', async () => {
  expect(await lived()).toEqual({ replaced: [], nodes: [3, 3] });
});
