import { expect, test } from 'vitest';
import type { Instant } from '../../src/domain/time.ts';
import { bucketSize } from '../support/bucket-size.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { gardenerConfig, watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

const controllerManager = 'kube-controller-manager';

test('1.2 S4 100 shoots cut off at once with the flags of Gardener: no node is marked anywhere, and all comes back', async () => {
  await using stage = await watchedSeed({ shoots: 100, sharedCertificates: true, grain: 50 });
  const { shoots } = stage.seed;
  await stage.pass(15_000);
  for (const shoot of shoots) shoot.cutOff();
  await stage.until(() => stage.areAll('scaledDown'), 45_000, 'all are down');
  await stage.pass(20_000);
  expect(stage.marks).toBe(0);
  expect(stage.changes.scalings()).toHaveLength(300);
  const asLast = stage.changes.ours.filter(({ name }) => name === controllerManager);
  expect(asLast).toHaveLength(100);
  for (const { ready } of asLast)
    expect(ready).toMatchObject({ 'machine-controller-manager': 0, 'cluster-autoscaler': 0 });

  stage.seed.api.requests.take();
  for (const shoot of shoots) shoot.heal();
  await stage.until(() => stage.areAll('probing'), 130_000, 'all are up');
  expect(stage.changes.scalings()).toHaveLength(600);
  for (const shoot of shoots)
    for (const name of shoot.dependants.names)
      expect(shoot.dependants.get(name)).toEqual({ desired: 1, ready: 1, annotations: {} });
  expect(bucketSize(writesAt(stage), 20)).toBeLessThanOrEqual(101);
  expect(stage.marks).toBe(0);
});

test('1.2 6.3 an outage in the middle of the scale-ups of a whole seed overtakes those that wait, and takes them back', async () => {
  const rate = { qps: 0.3, burst: 10 };
  const config = { ...(await gardenerConfig()), initialDelay: 0, probeInterval: 10_000 };
  await using stage = await watchedSeed({ shoots: 40, nodes: 3, sharedCertificates: true, grain: 50, config, rate });
  const { shoots } = stage.seed;
  await stage.pass(15_000);
  for (const shoot of shoots) shoot.cutOff();
  await stage.until(() => stage.areAll('scaledDown'), 45_000, 'all are down');

  for (const shoot of shoots) shoot.heal();
  const before = stage.changes.ours.length;
  const coming = () => shoots.filter((_, index) => stage.state(index) !== 'scaledDown').length;
  await stage.until(() => coming() > 25, 30_000, 'most are coming up');
  for (const shoot of shoots) shoot.cutOff();
  await stage.until(() => stage.areAll('scaledDown'), 35_000, 'all are down again');
  const raised = stage.changes.ours.slice(before).filter(({ after }) => after!.replicas > 0);
  // Some came up before the threshold was met, as slowly as the lane of the scale-ups is; of the others no write was ever sent.
  expect(raised.length).toBeGreaterThan(10);
  expect(
    bucketSize(
      raised.map(({ at }) => at),
      5 * rate.qps,
    ),
  ).toBeLessThanOrEqual(5 * rate.qps + 1);
  const neverRaised = shoots.filter(({ name }) => stage.changes.scalings(name).length === 3);
  expect(neverRaised.length).toBeGreaterThan(0);
  for (const shoot of shoots)
    for (const name of shoot.dependants.names)
      expect(shoot.dependants.get(name)).toMatchObject({ desired: 0, ready: 0 });

  const writes = stage.changes.ours.length;
  await stage.pass(30_000);
  expect(stage.changes.ours).toHaveLength(writes);
  expect(stage.marks).toBe(0);
});

test('1.2 4.9 one load balancer of 40 shoots drops every packet: no node is marked anywhere, and all comes back', async () => {
  await using stage = await watchedSeed({
    config: { ...twoPathConfig, initialDelay: 0 },
    shoots: 40,
    nodes: 3,
    sharedCertificates: true,
    grain: 50,
  });
  const { shoots } = stage.seed;
  await stage.pass(40_000);
  for (const shoot of shoots) await shoot.paths.break('external', { kind: 'hang' });
  await stage.until(() => stage.areAll('scaledDown'), 35_000, 'all are down');
  await stage.pass(60_000);
  expect(stage.marks).toBe(0);
  expect(stage.changes.scalings()).toHaveLength(120);
  for (const shoot of shoots) await shoot.paths.heal('external');
  await stage.until(() => stage.areAll('probing'), 130_000, 'all are up');
  expect(stage.changes.scalings()).toHaveLength(240);
  expect(stage.marks).toBe(0);
});

function writesAt({ seed }: WatchedSeed): readonly Instant[] {
  return seed.api.requests.all.filter(({ verb }) => verb === 'patch').map(({ at }) => at);
}
