import { describe, expect, test } from 'vitest';
import { markAnnotation } from '../../src/domain/prober/resource-view.ts';
import type { ResourceKind } from '../../src/simulator/store/resource-kind.ts';
import { controllerManager, dependant } from '../support/prober-configs.ts';
import { gardenerConfig, watchedSeed, type WatchedSeed, type WatchedSeedOptions } from '../support/watched-seed.ts';

const original: Readonly<Record<string, number>> = {
  'kube-controller-manager': 2,
  'machine-controller-manager': 1,
  'cluster-autoscaler': 3,
  'etcd-main': 3,
  vpn: 2,
};

/** Its annotations and its replicas take a write each, and no watch tells of it. */
const etcd: ResourceKind = {
  group: 'example.org',
  version: 'v1',
  kind: 'Etcd',
  plural: 'etcds',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
};

const usual: WatchedSeedOptions = { replicas: (_, name) => original[name] };

async function mixed(): Promise<WatchedSeedOptions> {
  const dependants = [
    controllerManager,
    dependant('apps/v1', 'StatefulSet', 'vpn', { down: 0, up: 1 }),
    dependant('example.org/v1', 'Etcd', 'etcd-main', { down: 0, up: 1 }),
  ];
  return {
    ...usual,
    config: { ...(await gardenerConfig()), initialDelay: 0, dependants },
    moreKinds: [etcd],
    grants: ['apps/statefulsets', 'example.org/etcds', 'example.org/etcds/scale'],
  };
}

/** The ways that an outage and its healing take, each from its cause to calm. */
const ways = ['down', 'up'] as const;

/** Lives through an outage and its healing, while something crashes the prober, which is started again at once. */
async function live(stage: WatchedSeed, enter: (way: (typeof ways)[number]) => void = () => undefined): Promise<void> {
  const shoot = stage.shoot();
  await stage.pass(5_000);
  enter('down');
  shoot.cutOff();
  await reach(stage, () => shoot.dependants.names.every((name) => shoot.dependants.get(name)?.ready === 0));
  await reach(stage, () => stage.state() === 'scaledDown');
  for (const name of shoot.dependants.names)
    expect(shoot.dependants.get(name)?.annotations).toMatchObject({ [markAnnotation]: '' });
  enter('up');
  shoot.heal();
  await reach(stage, () => isAllBack(stage) && stage.state() === 'probing');
  await stage.pass(40_000);
  expect(isAllBack(stage)).toBe(true);
  expect(stage.marks).toBe(0);
}

async function reach(stage: WatchedSeed, isSo: () => boolean): Promise<void> {
  for (;;) {
    await stage.until(() => !stage.runs || isSo(), 240_000);
    if (stage.runs) return;
    await stage.start();
  }
}

function isAllBack(stage: WatchedSeed): boolean {
  const { dependants } = stage.shoot();
  return dependants.names.every((name) => {
    const state = dependants.get(name);
    const count = original[name];
    return state?.desired === count && state?.ready === count && Object.keys(state?.annotations ?? {}).length === 0;
  });
}

/** Counts something on each way, and crashes the prober once on each, at the `crashAt`-th; answers the longer count. */
async function crashAtEach(
  options: WatchedSeedOptions,
  crashAt: number,
  listen: (stage: WatchedSeed, heard: () => void) => void,
): Promise<number> {
  await using stage = await watchedSeed(options);
  let count = 0;
  let most = 0;
  listen(stage, () => {
    most = Math.max(most, (count += 1));
    if (count === crashAt) stage.crash();
  });
  await live(stage, () => {
    count = 0;
  });
  return most;
}

const onTurn = (stage: WatchedSeed, heard: () => void): void => {
  stage.onTurn = heard;
};

const onWrite = (stage: WatchedSeed, heard: () => void): void => {
  stage.changes.onChange = heard;
};

describe('6.10 S5 L1 wherever the prober crashes, on the way down and on the way up, it all ends as if undisturbed', () => {
  test('6.10 after each turn', async () => {
    const turns = await crashAtEach(usual, Infinity, onTurn);
    expect(turns).toBeGreaterThan(20);
    for (let crashAt = 1; crashAt <= turns; crashAt += 1) await crashAtEach(usual, crashAt, onTurn);
  });

  test.each([
    ['of Gardener’s Deployments', () => Promise.resolve(usual)],
    ['of a StatefulSet, and of a kind that takes two', mixed],
  ])('6.10 6.6 between each write %s, and its answer', async (_, options) => {
    const writes = await crashAtEach(await options(), Infinity, onWrite);
    expect(writes).toBeGreaterThan(2);
    for (let crashAt = 1; crashAt <= writes; crashAt += 1) await crashAtEach(await options(), crashAt, onWrite);
  });
});
