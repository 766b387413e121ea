import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import {
  auditedWorld,
  expectBackInCalm,
  expectDown,
  expectLaws,
  expectNothingDownInCalm,
  live,
} from '../support/audited-life.ts';
import { happen, otherHands, pathFaults } from '@dwd/testing/histories.ts';
import {
  autoscaler,
  controllerManager,
  machineController,
  twoPathConfig,
  widget,
} from '@dwd/testing/prober-configs.ts';
import type { ApiBehaviour } from '@dwd/testing/sim-world.ts';

// One of the kinds needs two writes for annotations and replicas, and has no watch.
const config: ProberConfig = {
  ...twoPathConfig,
  dependants: [controllerManager, machineController, autoscaler, widget],
};
const patient: ProberConfig = { ...config, probeInterval: 30_000, failureThreshold: 5, successThreshold: 2 };
const keys = config.dependants.map(({ key }) => key);
const runs = Number(process.env['HISTORIES'] ?? 15);

for (const [name, under] of Object.entries({ 'with the defaults': config, patient }))
  test(`S1 S2 S3 S5 L1 L2 4.9 6.10 whatever happens to two paths, calm brings every replica back, and a broken path takes all down, across a restart (${name})`, async () => {
    const ways = fc.constantFrom<ApiBehaviour>('down', 'hanging', 'garbled');
    await fc.assert(
      fc.asyncProperty(fc.array(pathFaults, { maxLength: 40 }), ways, async (history, broken) => {
        const audited = await live(under, history);
        const { guarded } = audited;
        const { world } = guarded;

        await expectBackInCalm(guarded, under);

        world.loadBalancer = broken;
        await guarded.pass(300_000);
        expectDown(guarded, under, 'L2');
        expect(guarded.state).toBe('scaledDown');

        guarded.restart();
        await guarded.pass(300_000);
        expectDown(guarded, under, '4.9 after a restart');

        world.api = 'down';
        world.loadBalancer = 'up';
        await guarded.pass(300_000);
        expectDown(guarded, under, 'S1 while the internal path fails');

        guarded.restart();
        await expectBackInCalm(guarded, under);
        expectLaws(audited);
        guarded.stop();
      }),
      { numRuns: runs },
    );
  });

test('L1 4.9 6.5 6.9 6.4 whatever other hands did as well, calm leaves nothing at 0 and no mark', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: pathFaults }, otherHands), { maxLength: 40 }),
      async (history) => {
        const { guarded } = await live(config, history);
        await expectNothingDownInCalm(guarded, config);
        expect(guarded.state).toBe('probing');
        guarded.stop();
      },
    ),
    { numRuns: runs },
  );
});

test('S1 4.9 whatever happens to the external path and the kubelets, an internal path that never answers scales nothing', async () => {
  const without = pathFaults.filter((one) => one.do !== 'api' && one.do !== 'secret');
  await fc.assert(
    fc.asyncProperty(
      fc.array(without, { maxLength: 40 }),
      fc.constantFrom<ApiBehaviour>('down', 'hanging', 'garbled'),
      async (history, broken) => {
        const audited = auditedWorld(config);
        const { guarded } = audited;
        guarded.world.api = broken;
        for (const one of history) await happen(guarded, one, keys);
        await guarded.pass(300_000);
        expect(guarded.world.writes).toEqual([]);
        expect(guarded.world.asked.external).toBe(0);
        expect(audited.broken).toEqual([]);
        guarded.stop();
      },
    ),
    { numRuns: runs },
  );
});
