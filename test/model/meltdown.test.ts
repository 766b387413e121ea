import { expect, test } from 'vitest';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';

const all = [controllerManager, machineController, autoscaler];

test('L1 L2 6.1 one meltdown, from calm to calm, with the configuration that Gardener deploys', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  const { world } = guarded;
  await guarded.pass(120_000);
  expect(guarded.state).toBe('probing');
  expect(world.writes).toEqual([]);

  world.cutOff();
  await guarded.pass(40_000);
  expect(guarded.state).toBe('scaledDown');
  expect(all.map(({ key }) => world.state(key))).toMatchObject(
    all.map(() => ({ replicas: 0, ready: 0, mark: true, record: '2' })),
  );

  world.heal();
  await guarded.pass(120_000);
  expect(guarded.state).toBe('probing');
  expect(all.map(({ key }) => world.state(key))).toMatchObject(
    all.map(() => ({ replicas: 2, ready: 2, mark: false, record: undefined })),
  );
});
