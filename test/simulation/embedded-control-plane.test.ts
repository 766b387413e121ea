import { afterEach, expect, test } from 'vitest';
import type { ControlPlane } from '../../src/simulator/control-plane.ts';
import type { EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';
import type { PodGroup } from '../../src/simulator/pod-group.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { seedAtNoon } from './embedded-stage.ts';

const namespace = 'shoot--demo--01';

let clock: VirtualClock;
let seed: EmbeddedSeed;
let plane: ControlPlane;

const begin = async (groups?: readonly PodGroup[]): Promise<void> => {
  ({ clock, seed } = await seedAtNoon({ shoots: 0 }));
  plane = seed.addControlPlane(namespace, groups);
};

afterEach(() => seed.stop());

test('7.5 without etcd everything crash-loops; with it everything comes back, at the end of its back-off', async () => {
  await begin();
  expect(plane.isWell).toBe(true);
  plane.down('etcd-main');
  await clock.advanceBy(200_000);
  expect(plane.pods.filter(({ ready }) => ready)).toEqual([]);
  expect(plane.pods.every(({ restarts }) => restarts >= 3)).toBe(true);
  plane.up('etcd-main');
  await clock.advanceBy(600_000);
  expect(plane.isWell).toBe(true);
});
