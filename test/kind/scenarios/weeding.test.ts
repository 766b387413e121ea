import { expect, test } from 'vitest';
import { StagedControlPlane } from '../staged-control-plane.ts';

// Times: a window is 15 s. Each scenario begins when those are over that a service opens when it is first seen.

test.concurrent('7.2 7.3 S8 the API server is down and up: those who depend on it are deleted, once, and nobody else', async (context) => {
  const plane = await StagedControlPlane.raise(context, 'api-server-restarts');
  await plane.settles();
  await plane.fail('apiserver');
  await plane.until('the weeder knows', () => plane.latest('kube-apiserver') === 'down');
  await plane.isLeftAlone();
  expect(plane.pods.deleted).toEqual([]);

  await plane.heal('apiserver');
  await plane.until('all is well', () => plane.isWell);
  const { deleted } = plane.pods;
  expect(deleted.map(({ role, state }) => `${role} ${state}`).toSorted()).toEqual([
    'controller-manager crashLooping',
    'scheduler crashLooping',
  ]);
  await plane.counts('kube-apiserver', 2);
  await plane.counts('etcd-main-client', 0);

  // A successor that crash-loops as well has to wait for longer than this window lasts.
  await plane.pods.turn('scheduler', 'crashLooping');
  await plane.told({ line: 'pod left alone', because: 'pause' });
  await plane.settles();
  await plane.isLeftAlone();
  expect(deleted).toHaveLength(2);
  expect(plane.lines({ line: 'state changed', to: 'settled', deleted: 2, left: 1 })).toHaveLength(1);
});

test.concurrent('7.5 S8 etcd is down and up: the API servers are deleted, then those who depend on them', async (context) => {
  const plane = await StagedControlPlane.raise(context, 'etcd-restarts');
  await plane.settles();
  await plane.fail('main');
  await plane.until('the weeder knows', () =>
    ['etcd-main-client', 'kube-apiserver'].every((service) => plane.latest(service) === 'down'),
  );
  await plane.isLeftAlone();
  expect(plane.pods.deleted).toEqual([]);

  await plane.heal('main');
  await plane.until('all is well', () => plane.isWell);
  const { deleted } = plane.pods;
  expect(deleted.map(({ role }) => role).toSorted()).toEqual([
    'apiserver',
    'apiserver',
    'controller-manager',
    'scheduler',
  ]);
  expect(deleted[0]?.role).toBe('apiserver');
  expect(deleted.every(({ state }) => state === 'crashLooping')).toBe(true);
  expect(new Set(deleted.map(({ uid }) => uid)).size).toBe(4);
  await plane.counts('etcd-main-client', 2);
  await plane.counts('kube-apiserver', 2);
});

test.concurrent('7.1 S8 of two slices of the API server one has a ready endpoint: that is enough, in its own namespace', async (context) => {
  const [plane, neighbour] = await Promise.all([
    StagedControlPlane.raise(context, 'two-slices'),
    StagedControlPlane.raise(context, 'two-slices-neighbour'),
  ]);
  await Promise.all([plane.settles(), neighbour.settles()]);
  for (const one of [plane, neighbour]) {
    await one.fail('apiserver');
    await one.until('the weeder knows', () => one.latest('kube-apiserver') === 'down');
  }
  await plane.heal('apiserver', 1);
  await plane.until('the dependants are back', () => ready(plane, 'controller-manager', 'scheduler') === 2);
  expect(plane.pods.deleted.map(({ role }) => role).toSorted()).toEqual(['controller-manager', 'scheduler']);
  await plane.told({ line: 'state changed', to: 'recovering', ready: 1, endpoints: 2 });
  // The other API server crash-loops on: it depends on etcd, which was never away.
  expect(
    plane.pods
      .of('apiserver')
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(['crashLooping', 'ready']);
  expect(neighbour.pods.deleted).toEqual([]);
});

test.concurrent('7.1 7.3 7.5 one of three endpoints of etcd is back, and init containers crash-loop: the chain holds', async (context) => {
  const plane = await StagedControlPlane.raise(context, 'init-containers');
  await plane.settles();
  plane.failsAs = 'initCrashLooping';
  await plane.fail('main');
  await plane.until('the weeder knows', () => plane.latest('etcd-main-client') === 'down');
  await plane.until('so do all pods', () => ready(plane) === 0);
  await plane.isLeftAlone();

  await plane.heal('main', 1);
  await plane.until('the chain is back', () => ready(plane, 'apiserver', 'controller-manager', 'scheduler') === 4);
  const { deleted } = plane.pods;
  expect(deleted.map(({ role }) => role).toSorted()).toEqual([
    'apiserver',
    'apiserver',
    'controller-manager',
    'scheduler',
  ]);
  expect(deleted.every(({ state }) => state === 'initCrashLooping')).toBe(true);
  // Nobody weeds etcd itself.
  expect(plane.pods.of('main').filter(({ state }) => state === 'ready')).toHaveLength(1);
  await plane.told({ line: 'pod deleted' }, deleted.length);
  expect(plane.lines({ line: 'pod deleted' })[0]).toMatchObject({ containers: ['init'] });
});

/** How many pods are ready, of these roles or of all. */
function ready(plane: StagedControlPlane, ...roles: readonly string[]): number {
  const pods = roles.length === 0 ? plane.pods.of() : roles.flatMap((role) => plane.pods.of(role));
  return pods.filter(({ state }) => state === 'ready').length;
}
