import { describe, expect, test } from 'vitest';
import { markAnnotation } from '../../src/domain/resource-view.ts';
import type { ResourceKind } from '../../src/simulator/resource-kind.ts';
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

/** Lives through an outage and its healing, while something crashes the prober, which is started again at once. */
async function live(stage: WatchedSeed): Promise<void> {
  const shoot = stage.shoot();
  shoot.cutOff();
  await reach(stage, () => shoot.dependants.names.every((name) => shoot.dependants.get(name)?.ready === 0));
  await reach(stage, () => stage.state() === 'scaledDown');
  for (const name of shoot.dependants.names)
    expect(shoot.dependants.get(name)?.annotations).toMatchObject({ [markAnnotation]: '' });
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
    await stage.startProber();
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

/** How many turns and writes an undisturbed run takes. */
async function undisturbed(options: WatchedSeedOptions): Promise<Readonly<{ turns: number; writes: number }>> {
  await using stage = await watchedSeed(options);
  await stage.pass(5_000);
  const before = stage.turns.length;
  await live(stage);
  return { turns: stage.turns.length - before, writes: stage.changes.ours.length };
}

describe('6.10 S5 L1 wherever the prober crashes, the next one ends where an undisturbed run ends', () => {
  test('6.10 after each turn of a shoot of Gardener’s', async () => {
    const { turns } = await undisturbed(usual);
    expect(turns).toBeGreaterThan(20);
    for (let crashAfter = 1; crashAfter <= turns; crashAfter += 1) {
      await using stage = await watchedSeed(usual);
      await stage.pass(5_000);
      const before = stage.turns.length;
      stage.onTurn = () => {
        if (stage.turns.length === before + crashAfter) stage.crashProber();
      };
      await live(stage);
    }
  });

  test.each([
    ['of Gardener’s Deployments', () => Promise.resolve(usual)],
    ['of a StatefulSet and of a kind that takes two writes', mixed],
  ])('6.10 6.6 between each write %s and its answer', async (_, options) => {
    const { writes } = await undisturbed(await options());
    expect(writes).toBeGreaterThan(5);
    for (let crashAt = 1; crashAt <= writes; crashAt += 1) {
      await using stage = await watchedSeed(await options());
      await stage.pass(5_000);
      stage.changes.onChange = () => {
        if (stage.changes.ours.length === crashAt) stage.crashProber();
      };
      await live(stage);
    }
  });
});
