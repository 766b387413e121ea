import { expect, test } from 'vitest';
import { markAnnotation as mark, replicasAnnotation as record } from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { DependantChange } from '../support/judged-writes.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

const controllerManager = 'kube-controller-manager';
const machineController = 'machine-controller-manager';
const autoscaler = 'cluster-autoscaler';

const original: Readonly<Record<string, number>> = { [controllerManager]: 2, [machineController]: 1, [autoscaler]: 3 };
const replicas = (_: ShootNamespace, name: string) => original[name];

test('L1 L2 S4 6.1 6.4 6.5 one outage, from calm to calm: order, delays, annotations, and every replica as it was', async () => {
  await using stage = await watchedSeed({ replicas });
  const shoot = stage.shoot();
  await stage.pass(60_000);
  expect(stage.changes.all).toEqual([]);

  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  expect(shoot.dependants.names.map((name) => shoot.dependants.get(name))).toEqual(
    shoot.dependants.names.map((name) => ({
      desired: 0,
      ready: 0,
      annotations: { [mark]: '', [record]: String(original[name]) },
    })),
  );
  const down = stage.changes.ours;
  expect(down.map(({ name }) => name).toSorted()).toEqual([autoscaler, controllerManager, machineController]);
  expect(down[2]).toMatchObject({ name: controllerManager, ready: { [machineController]: 0, [autoscaler]: 0 } });

  await stage.pass(120_000);
  expect(stage.state()).toBe('scaledDown');
  expect(stage.changes.ours).toHaveLength(3);

  shoot.heal();
  await stage.untilState('scalingUp', 45_000);
  await stage.untilState('probing', 90_000);
  expectAllBack(stage);
  // Where more than one replica is recorded, a second write takes mark and record away (6.5).
  const up = stage.changes.ours.slice(3).filter(({ name }, index, all) => name !== all[index - 1]?.name);
  expect(up.map(({ name }) => name)).toEqual([controllerManager, machineController, autoscaler]);
  expect(up[1]!.ready[controllerManager]).toBeGreaterThan(0);
  expect(up[2]!.ready[machineController]).toBeGreaterThan(0);
  // Its pods take three seconds to be ready; from then on the delay of the next level runs.
  const delay = up[1]!.at - up[0]!.at - 3_000;
  expect(delay).toBeGreaterThanOrEqual(30_000);
  expect(delay).toBeLessThan(31_000);

  await stage.pass(60_000);
  expect(statesOf(stage)).toEqual(['idle', 'probing', 'scalingDown', 'scaledDown', 'scalingUp', 'probing']);
  expect([stage.marks, shoot.unknownNodes]).toEqual([0, []]);
  expect(stage.changes.all).toHaveLength(8);
});

function statesOf({ turns }: WatchedSeed): readonly string[] {
  return turns.map(({ to }) => to).filter((state, index, all) => state !== all[index - 1]);
}

function expectAllBack(stage: WatchedSeed): void {
  const { dependants } = stage.shoot();
  const first = (name: string): DependantChange | undefined => stage.changes.all.find((change) => change.name === name);
  for (const name of dependants.names) {
    const was = first(name)?.before?.replicas ?? dependants.get(name)?.desired ?? 0;
    expect(dependants.get(name)).toEqual({ desired: was, ready: was, annotations: {} });
  }
}
