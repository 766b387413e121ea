import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { drawPlan } from './draw-plan.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { SeedPlan } from './seed-plan.ts';

const lives: Readonly<Record<string, (plan: SeedPlan) => boolean>> = {
  'one prober in fair weather': ({ replicas, links }) =>
    replicas.prober === 1 && replicas.weeder === 0 && links.seed.lost === 0 && links.shoot.lost === 0,
  'two probers in foul weather': ({ replicas, links }) => replicas.prober === 2 && links.seed.lost > 0,
  'a prober and a weeder whose clocks differ': ({ replicas, clocks }) =>
    replicas.weeder === 1 && clocks.ahead > 0 && clocks.drift > 0,
};

/** Of few shoots, to be quick. What a number draws changes with the plans, so it is looked for. */
function firstOf(is: (plan: SeedPlan) => boolean): number {
  for (let number = 1; ; number += 1) {
    const plan = drawPlan(number);
    if (plan.shoots <= 2 && is(plan)) return number;
  }
}

test.each(Object.entries(lives))(
  '%s: one number, one life, byte for byte, in this thread and in another',
  async (_, is) => {
    const number = firstOf(is);
    const [here, again] = [await fingerprintOf(number), await fingerprintOf(number)];
    const other = new Worker(join(import.meta.dirname, 'fingerprint-worker.ts'), { workerData: number });
    const there = await new Promise((resolve, reject) => {
      other.on('message', resolve).on('error', reject);
    });
    expect(here.observations).toBeGreaterThan(100);
    expect(again).toEqual(here);
    expect(there).toEqual(here);
  },
);

test('another number has another life', async () => {
  expect((await fingerprintOf(4)).hash).not.toBe((await fingerprintOf(5)).hash);
});
