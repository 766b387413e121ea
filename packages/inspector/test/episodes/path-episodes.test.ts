import { expect, test } from 'vitest';
import type { TwoPathConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { onTwoPaths, pathOutage, type PathFaults } from '@dwd/testing/recorded-nights.ts';
import { episodesOf, linesOf } from './told-turns.ts';

type Story = Readonly<{
  name: string;
  config?: Partial<TwoPathConfig>;
  play(one: GuardedWorld, faults: PathFaults): Promise<void>;
  tells: readonly string[];
}>;

const all = 'machine-controller-manager, cluster-autoscaler and kube-controller-manager';
const failed = (count: string, why = 'the shoot is down') =>
  `cut off: from 00:17:41.0 on the external path failed ${count} (${why}), while the internal one answered`;

const stories: readonly Story[] = [
  { name: 'nothing of a calm shoot', play: (one) => one.pass(600_000), tells: [] },
  {
    name: 'an outage of the external path, from the first question that failed to the dependants that are back',
    async play(one) {
      one.world.loadBalancer = 'down';
      await one.pass(60_000);
      one.world.loadBalancer = 'up';
      await one.pass(120_000);
    },
    tells: [
      `outage grave: ${failed('3 times in a row')}; decided 6.7 s later; ${all} were at 0 after 7.1 s, 10.9 s before a node could be marked; connected again at 00:18:42.6; everything was brought back 36 s later`,
    ],
  },
  {
    name: 'one request that failed, which is no more than worth knowing',
    async play(one) {
      one.world.loadBalancer = 'down';
      while (one.state !== 'leaseFailed') await one.pass(100);
      one.world.loadBalancer = 'up';
      await one.pass(60_000);
    },
    tells: [
      `outage notable: ${failed('once')}; nothing was scaled down, since it takes 3 probes in a row that find it so; connected again at 00:17:44.3`,
    ],
  },
  {
    name: 'an outage that a prober finds at its start by what was enough, however long it goes on',
    async play(one) {
      one.world.loadBalancer = 'down';
      await one.pass(60_000);
      one.turns.length = 0;
      one.restart();
      await one.pass(600_000);
    },
    tells: [
      `outage grave goes on: ${failed('3 times in a row').replace('17:41.0', '18:40.0')}; nothing was left to scale down; still cut off`,
    ],
  },
  {
    name: 'an internal path that fails for a while: no outage, since nothing is known of the external one',
    async play(one) {
      one.world.api = 'down';
      one.world.loadBalancer = 'down';
      await one.pass(120_000);
      one.world.api = 'up';
      one.world.loadBalancer = 'up';
      await one.pass(60_000);
    },
    tells: [
      'unreachable notable: 6 probes in a row told nothing from 00:17:41.0 on, because it does not answer on the internal path: the shoot is down; it answered again 2m03s later',
    ],
  },
  {
    name: 'an internal path that fails three times within seconds, since the shoot is left alone by it',
    async play(one) {
      one.world.api = 'down';
      await one.pass(6_000);
      one.world.api = 'up';
      await one.pass(60_000);
    },
    tells: [
      'unreachable notable: 3 probes in a row told nothing from 00:17:41.0 on, because it does not answer on the internal path: the shoot is down; it answered again 33 s later',
    ],
  },
  {
    name: 'nothing of an internal path that fails once',
    async play(one, faults) {
      faults.internal = () => Promise.resolve({ stage: 'internal', reason: 'timeout', detail: 'D' });
      await one.pass(1_100);
      delete faults.internal;
      await one.pass(60_000);
    },
    tells: [],
  },
  {
    name: 'an external path that nobody can ask',
    async play(one, faults) {
      faults.external = () =>
        Promise.resolve({ stage: 'external', reason: 'kubeconfig', detail: 'there is no Secret' });
      await one.pass(60_000);
    },
    tells: [
      'unreachable notable goes on: 9 probes in a row told nothing from 00:17:41.0 on, because it cannot be probed on the external path: there is no Secret',
    ],
  },
];

test.each(stories)('4.9 9.7 it tells $name', async ({ config = {}, play, tells }) => {
  const turns = await onTwoPaths(play, config);
  expect(linesOf(episodesOf(turns))).toEqual(tells);
});

test('4.9 9.7 programs get the count and the reason, and no leases', async () => {
  const [failing, outage] = episodesOf(await pathOutage());
  expect(failing).toMatchObject({
    kind: 'unreachable',
    lines: ['left alone for 30 s after each failure'],
    data: { stage: 'internal', failures: 4, leftAloneMs: 30_000 },
  });
  expect(outage!.data).toMatchObject({
    external: { count: 3, of: 3 },
    reason: 'unreachable',
    detail: 'the shoot is down',
  });
  expect(outage!.data).not.toHaveProperty('expired');
  expect(outage!.lines.filter((line) => line.startsWith('leases'))).toEqual([]);
});
