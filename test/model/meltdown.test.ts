import { expect, test } from 'vitest';
import { GuardedWorld } from '../support/guarded-world.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '../support/prober-configs.ts';

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

test('4.6 the first scale-down follows the crossing within a fraction of a second, wherever in the interval it falls', async () => {
  for (let phase = 0; phase < 30_000; phase += 1_313) {
    const guarded = new GuardedWorld(gardenerConfig);
    await guarded.pass(100_000 + phase);
    guarded.world.cutOff();
    await guarded.pass(45_000);
    const verdict = guarded.turns
      .flatMap(({ at, notes }) => notes.map((note) => ({ at, note })))
      .find(({ note }) => note.kind === 'verdict' && note.verdict === 'cutOff');
    expect(verdict?.note, `phase ${phase}`).toMatchObject({ kind: 'verdict' });
    if (verdict?.note.kind !== 'verdict') return;
    expect(guarded.world.writes[0]!.at - verdict.note.crossedAt!, `phase ${phase}`).toBeLessThanOrEqual(300);
  }
});
