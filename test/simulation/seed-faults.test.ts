import { expect, test } from 'vitest';
import { replicasAnnotation as record } from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

const controllerManager = 'kube-controller-manager';
const machineController = 'machine-controller-manager';
const autoscaler = 'cluster-autoscaler';

const original: Readonly<Record<string, number>> = { [controllerManager]: 2, [machineController]: 1, [autoscaler]: 3 };
const replicas = (_: ShootNamespace, name: string) => original[name];

test('6.6 the watches are refused in the middle of an outage: GETs stand in, once a second while something is awaited', async () => {
  await using stage = await begin();
  const { api } = stage.seed;
  stage.shoot().cutOff();
  await stage.untilState('scalingDown', 45_000);
  api.requests.take();
  api.refuseWatches(['deployments']);
  await stage.untilState('scaledDown', 10_000);
  const gets = (name: string) => api.requests.all.filter((seen) => seen.verb === 'get' && seen.name === name);
  expect(gets(controllerManager).length).toBeGreaterThan(0);
  expect(gets(controllerManager).length).toBeLessThanOrEqual(4);

  await stage.pass(10_000);
  api.requests.take();
  const probes = stage.probes();
  await stage.pass(100_000);
  expect(gets(controllerManager)).toHaveLength(stage.probes() - probes);

  stage.shoot().heal();
  await stage.untilState('probing', 120_000);
  expectAllBack(stage);

  api.refuseWatches([]);
  await stage.pass(60_000);
  api.requests.take();
  await stage.pass(100_000);
  expect(gets(controllerManager)).toEqual([]);
});

test.each([
  ['cut', (stage: WatchedSeed) => stage.seed.api.breakWatches()],
  ['too old, their history forgotten', expire],
])('6.6 6.10 watches that are %s again and again delay nothing', async (_, hurt) => {
  await using stage = await begin();
  const shoot = stage.shoot();
  let hurts = 0;
  // Whenever something moves; so the stream is hurt just as it has news.
  stage.onTurn = ({ event }) => {
    if (event.type === 'dependant.changed' && (hurts += 1) < 200) hurt(stage);
  };
  shoot.cutOff();
  await stage.untilState('scaledDown', 45_000);
  expect(stage.clock.now()).toBeLessThan(stage.notesOf('shielded')[0]!.firstMarkAt);
  shoot.heal();
  await stage.untilState('probing', 120_000);
  expect(hurts).toBeGreaterThan(8);
  expectAllBack(stage);
});

test('6.1 6.6 S1 the seed’s API server goes away in the middle of an outage: when it is back, all goes on', async () => {
  await using stage = await begin();
  const shoot = stage.shoot();
  shoot.cutOff();
  await stage.untilState('scalingDown', 45_000);
  await stage.seed.api.down();
  await stage.pass(4_000);
  await stage.seed.api.up();
  await stage.untilState('scaledDown', 20_000);
  expect(shoot.dependants.names.map((name) => shoot.dependants.get(name)?.ready)).toEqual([0, 0, 0]);

  shoot.heal();
  await stage.untilState('scalingUp', 45_000);
  await stage.seed.api.down();
  await stage.pass(120_000);
  await stage.seed.api.up();
  await stage.until(() => isAllBack(stage) && stage.state() === 'probing', 180_000);
  expect(stage.marks).toBe(0);
});

test.each([
  ['and the watch tells of it', []],
  ['and no watch tells of it', ['deployments']],
])(
  '6.6 6.4 another writer comes in between, %s: each write is made on fresh data, and the record is right',
  async (_, unwatched) => {
    await using stage = await begin();
    const shoot = stage.shoot();
    stage.seed.api.refuseWatches(unwatched);
    await stage.pass(40_000);
    let touched = 0;
    stage.onTurn = ({ commands }) => {
      const scales = commands.filter(({ type }) => type === 'scale');
      if (scales.length === 0 || touched >= 6) return;
      touched += 1;
      // After we have made up our mind, and before the write gets there.
      stage.changes.byHand(() => shoot.dependants.scale(machineController, 4 + touched));
      for (const name of [controllerManager, autoscaler]) shoot.dependants.annotate(name, { touched: String(touched) });
    };
    shoot.cutOff();
    await stage.untilState('scaledDown', 50_000);
    expect(touched).toBe(6);
    const conflicts = stage.turns.filter(
      ({ event }) => event.type === 'scale.answered' && event.answer.outcome === 'conflict',
    );
    expect(conflicts.length).toBeGreaterThanOrEqual(6);
    for (const name of shoot.dependants.names) {
      const first = stage.changes.ours.find((change) => change.name === name);
      expect(shoot.dependants.get(name)?.annotations).toMatchObject({ [record]: String(first?.before?.replicas) });
    }
    expect(stage.marks).toBe(0);
  },
);

/** A prober that has asked its shoot once. */
async function begin(): Promise<WatchedSeed> {
  const stage = await watchedSeed({ replicas });
  await stage.pass(5_000);
  return stage;
}

function expire({ seed }: WatchedSeed): void {
  seed.api.compact();
  seed.api.expireWatches();
}

function isAllBack(stage: WatchedSeed): boolean {
  const { dependants } = stage.shoot();
  return dependants.names.every((name) => {
    const { desired, ready, annotations = {} } = dependants.get(name) ?? {};
    return desired === original[name] && ready === original[name] && Object.keys(annotations).length === 0;
  });
}

function expectAllBack(stage: WatchedSeed): void {
  const { dependants } = stage.shoot();
  for (const name of dependants.names)
    expect(dependants.get(name)).toEqual({ desired: original[name], ready: original[name], annotations: {} });
  expect(stage.marks).toBe(0);
}
