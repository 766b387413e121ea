import { expect, test } from 'vitest';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { quietPlan, type SeedPlan } from './seed-plan.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';

const plan: SeedPlan = {
  ...quietPlan,
  nodes: 2,
  twoPaths: true,
  proberConfig: `internalKubeConfigSecretName: internal
externalKubeConfigSecretName: external
probeInterval: 5s
initialDelay: 1s
failureThreshold: 1
dependentResourceInfos:
- {ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}, optional: false, scaleUp: {level: 0}, scaleDown: {level: 0}}
`,
};

/** What the dependant has after each minute: before anything, with both paths broken as told, and when they work again. */
async function minutes(broken: Readonly<{ internal?: PathFault; external?: PathFault }>): Promise<readonly number[]> {
  const seen: number[] = [];
  const { broken: law } = await live(plan, {
    laws,
    async conduct(scene, passTo) {
      const { paths, dependants } = scene.seed.shoot('shoot--demo--01');
      const look = async (): Promise<void> => {
        await passTo(scene.age + 60_000);
        seen.push(dependants.get('kube-controller-manager')?.desired ?? -1);
      };
      await look();
      for (const path of ['internal', 'external'] as const) {
        const fault = broken[path];
        if (fault !== undefined) await paths.break(path, fault);
      }
      await look();
      await paths.heal('internal');
      await paths.heal('external');
      await look();
    },
  });
  expect(law).toBeUndefined();
  return seen;
}

const faults: readonly PathFault[] = [
  { kind: 'refuse' },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'slow', delay: 12_000 },
];

test.each(faults)('4.9 in memory: an external path that fails leads down and up again: $kind', async (fault) => {
  expect(await minutes({ external: fault })).toEqual([2, 0, 2]);
});

test.each(faults)(
  '4.9 in memory: where the internal path fails as well, or alone, nothing is scaled: $kind',
  async (fault) => {
    expect(await minutes({ internal: fault, external: fault })).toEqual([2, 2, 2]);
    expect(await minutes({ internal: fault })).toEqual([2, 2, 2]);
  },
);
