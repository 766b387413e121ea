import { expect, test } from 'vitest';
import {
  ignoreAnnotation,
  markAnnotation as mark,
  replicasAnnotation as record,
} from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { DependantChange } from '../support/dependant-changes.ts';
import { gardenerConfig, watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

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
  const up = stage.changes.ours.slice(3);
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
  expect(stage.changes.all).toHaveLength(6);
});

test('4.6 5.1 the first write follows the threshold at once, and the controller-manager is gone long before it would mark a node', async () => {
  for (const seedNumber of [1, 2, 3, 4]) {
    await using stage = await watchedSeed({ seedNumber });
    await stage.pass(40_000 + seedNumber * 7_000);
    stage.shoot().cutOff();
    await stage.untilState('scaledDown', 45_000);
    const [shielded] = stage.notesOf('shielded');
    const [first] = stage.changes.ours;
    // The budget; it is some 30 ms where the machine has nothing else to do.
    expect(first!.at - shielded!.crossedAt).toBeGreaterThanOrEqual(0);
    expect(first!.at - shielded!.crossedAt).toBeLessThan(1_000);
    expect(stage.clock.now()).toBeLessThan(shielded!.firstMarkAt);
    await stage.pass(60_000);
    expect(stage.marks).toBe(0);
  }
});

test('the pretend controller-manager does mark every node where nobody watches', async () => {
  await using stage = await watchedSeed({ proberLater: true });
  await stage.pass(60_000);
  stage.shoot().cutOff();
  await stage.pass(60_000);
  expect(stage.marks).toBe(5);
});

test('5.3 less than the fraction of the nodes cut off scales nothing, the fraction does', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff(shoot.nodes.slice(0, 2));
  await stage.pass(180_000);
  expect(stage.changes.all).toEqual([]);
  expect(stage.state()).toBe('probing');
  expect(stage.notesOf('verdict').at(-1)).toMatchObject({ verdict: 'connected', expired: 2, candidates: 5 });

  shoot.cutOff(shoot.nodes.slice(2, 3));
  await stage.untilState('scaledDown', 45_000);
  shoot.heal(shoot.nodes.slice(0, 1));
  await stage.untilState('probing', 90_000);
  expectAllBack(stage);
});

test('6.3 cut off again while it is being scaled up: the last verdict wins, pending delays included', async () => {
  await using stage = await watchedSeed({ replicas });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  shoot.heal();
  await stage.untilState('scalingUp', 45_000);
  shoot.cutOff();
  await stage.until(() => shoot.dependants.get(controllerManager)?.ready === 2, 10_000);
  await stage.untilState('scaledDown', 32_000);
  expect(stage.changes.scalings().slice(3)).toEqual([`${controllerManager} 0→2`, `${controllerManager} 2→0`]);

  await stage.pass(60_000);
  shoot.heal();
  await stage.untilState('probing', 120_000);
  expectAllBack(stage);
  expect(stage.marks).toBe(0);
});

test('6.3 healed while it is being scaled down: what is down comes back, what is not is left alone', async () => {
  const config = { ...(await gardenerConfig()), initialDelay: 0, probeInterval: 5_000 };
  await using stage = await watchedSeed({ config, replicas, pace: { observe: 30, down: 20_000, up: 3_000 } });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff();
  await stage.untilState('scalingDown', 45_000);
  shoot.heal();
  await stage.untilState('scalingUp', 20_000);
  await stage.untilState('probing', 60_000);
  expectAllBack(stage);
  expect(stage.changes.scalings().some((scaling) => scaling.startsWith(controllerManager))).toBe(false);
});

test('6.7 S2 a dependant with ignore-scaling is left alone, and nobody waits for it', async () => {
  await using stage = await watchedSeed({ replicas });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  stage.changes.byHand(() => shoot.dependants.annotate(machineController, { [ignoreAnnotation]: 'true' }));
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  expect(shoot.dependants.get(machineController)).toMatchObject({ desired: 1, ready: 1 });
  expect(shoot.dependants.get(controllerManager)).toMatchObject({ desired: 0, ready: 0 });

  shoot.heal();
  await stage.untilState('probing', 90_000);
  expect(stage.changes.ours.filter(({ name }) => name === machineController)).toEqual([]);
  expect(shoot.dependants.get(controllerManager)).toEqual({ desired: 2, ready: 2, annotations: {} });
});

test('6.7 a dependant that is taken out of our hands while it is down keeps its zero and its record, and loses our mark', async () => {
  await using stage = await watchedSeed({ replicas });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  stage.changes.byHand(() => shoot.dependants.annotate(autoscaler, { [ignoreAnnotation]: 'true' }));
  shoot.heal();
  await stage.untilState('probing', 120_000);
  await stage.pass(60_000);
  expect(shoot.dependants.get(autoscaler)).toEqual({
    desired: 0,
    ready: 0,
    annotations: { [ignoreAnnotation]: 'true', [record]: '3' },
  });

  stage.changes.byHand(() => shoot.dependants.annotate(autoscaler, { [ignoreAnnotation]: null }));
  await stage.until(() => shoot.dependants.get(autoscaler)?.ready === 3, 60_000);
  expect(shoot.dependants.get(autoscaler)?.annotations).toEqual({});
});

test('5.3 S7 a shoot of one node is never scaled down', async () => {
  await using stage = await watchedSeed({ nodes: 1 });
  await stage.pass(30_000);
  stage.shoot().cutOff();
  await stage.pass(120_000);
  expect(stage.changes.all).toEqual([]);
  expect(stage.notesOf('verdict').at(-1)).toMatchObject({ verdict: 'tooFew' });
});

test('5.3 with one node left what is ours is raised, and what others have set to 0 is not', async () => {
  await using stage = await watchedSeed({ replicas });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  for (const node of shoot.nodes.slice(1)) shoot.removeNode(node);
  const unmarked = { [mark]: null, [record]: null };
  stage.changes.byHand(() => shoot.dependants.annotate(autoscaler, unmarked));
  shoot.heal();
  await stage.until(() => shoot.dependants.get(machineController)?.ready === 1, 90_000);
  await stage.pass(60_000);
  expect(shoot.dependants.get(controllerManager)).toEqual({ desired: 2, ready: 2, annotations: {} });
  expect(shoot.dependants.get(autoscaler)).toEqual({ desired: 0, ready: 0, annotations: {} });

  shoot.addNodes(4);
  await stage.until(() => shoot.dependants.get(autoscaler)?.ready === 1, 60_000);
});

test('6.8 an optional dependant that is missing is nobody’s trouble; one that must be there is said', async () => {
  const missing = autoscaler;
  await using stage = await watchedSeed({ replicas: (_, name) => (name === missing ? undefined : 1) });
  const shoot = stage.shoot();
  await stage.pass(30_000);
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  shoot.heal();
  await stage.untilState('probing', 90_000);
  expect(stage.notesOf('dependantMissing')).toEqual([]);
  expect(stage.changes.scalings()).toEqual([
    `${machineController} 1→0`,
    `${controllerManager} 1→0`,
    `${controllerManager} 0→1`,
    `${machineController} 0→1`,
  ]);

  stage.changes.byHand(() => shoot.dependants.remove(machineController));
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  expect(stage.notesOf('dependantMissing')).toHaveLength(1);
  expect(shoot.dependants.get(controllerManager)).toMatchObject({ desired: 0, ready: 0 });
});

function statesOf({ turns }: WatchedSeed): readonly string[] {
  return turns.map(({ to }) => to).filter((state, index, all) => state !== all[index - 1]);
}

function expectAllBack(stage: WatchedSeed): void {
  const { dependants } = stage.shoot();
  const first = (name: string): DependantChange | undefined => stage.changes.all.find((change) => change.name === name);
  for (const name of dependants.names) {
    const was = first(name)?.before?.desired ?? dependants.get(name)?.desired ?? 0;
    expect(dependants.get(name)).toEqual({ desired: was, ready: was, annotations: {} });
  }
}
