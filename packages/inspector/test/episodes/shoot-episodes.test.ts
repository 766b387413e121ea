import { expect, test } from 'vitest';
import type { LeaseConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { episodesOf, linesOf } from './told-turns.ts';

type Story = Readonly<{
  name: string;
  config?: Partial<LeaseConfig>;
  play(one: GuardedWorld): Promise<void>;
  tells: readonly string[];
}>;

const hibernated = { readable: true, cluster: { ...activeCluster, hibernationEnabled: true } } as const;
const active = { readable: true, cluster: activeCluster } as const;

const cutOff = 'cut off: 3 of 5 leases were 30 s old at 00:18:05.1';
const all = 'machine-controller-manager, cluster-autoscaler and kube-controller-manager';
const down = `decided 0.01 s later; ${all} were at 0 after 0.42 s, 6.2 s before a node could be marked`;

async function until(one: GuardedWorld, state: string): Promise<void> {
  while (one.state !== state) await one.pass(100);
}

/** Two of the five nodes, for so long. */
async function silence(one: GuardedWorld, length: number): Promise<void> {
  for (const node of one.world.nodes.slice(0, 2)) node.cutOffAt = one.clock.now();
  await one.pass(length);
  one.world.heal();
  await one.pass(60_000);
}

const stories: readonly Story[] = [
  { name: 'nothing of a calm shoot', play: (one) => one.pass(600_000), tells: [] },
  {
    name: 'an outage, from the leases that told of it to the dependants that are back',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.world.heal();
      await one.pass(120_000);
    },
    tells: [`outage grave: ${cutOff}; ${down}; connected again at 00:18:40.1; everything was brought back 36 s later`],
  },
  {
    name: 'two nodes of five that are silent for two minutes, and the rest is not',
    async play(one) {
      await silence(one, 120_000);
    },
    tells: [
      'partial grave: at 00:18:15.1 2 of 5 leases are late; if nobody renews, it counts as cut off in 21.7 s; renewed again 91.7 s later, and nodes of it may have been marked',
    ],
  },
  {
    name: 'nothing of two nodes that are silent for as long as nobody marks them',
    play: (one) => silence(one, 36_000),
    tells: [],
  },
  {
    name: 'a zone of which nodes may have been marked',
    async play(one) {
      for (const [index, node] of one.world.nodes.entries()) node.view = { ...node.view, zone: index < 2 ? 'a' : 'b' };
      await silence(one, 120_000);
    },
    tells: [
      expect.stringMatching(
        /^partial bad: at \S+ zone a is cut off: 2 of its 2 leases are expired, .*; renewed again .* later, and nodes of it may have been marked$/,
      ) as string,
    ],
  },
  {
    name: 'an outage that goes on',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
    },
    tells: [`outage grave goes on: ${cutOff}; ${down}; still cut off`],
  },
  {
    name: 'an outage in which somebody else raises what is down',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.world.edit(controllerManager.key, { replicas: 1 });
      await one.pass(60_000);
      one.world.heal();
      await one.pass(120_000);
    },
    tells: [
      `outage grave: ${cutOff}; ${down}; somebody else raised kube-controller-manager to 1 at 00:18:40.0, and it was scaled to 0 again 0.12 s later; ` +
        'everything was at 0 again 39.7 s before a node could be marked; connected again at 00:19:40.1; everything was brought back 36 s later',
    ],
  },
  {
    name: 'an outage that led to nothing, since it was not found often enough',
    config: { failureThreshold: 3 },
    async play(one) {
      one.world.cutOff();
      await until(one, 'leaseFailed');
      one.world.heal();
      await one.pass(60_000);
    },
    tells: [
      `outage grave: ${cutOff}; nothing was scaled down, since it takes 3 probes in a row that find it so; connected again at 00:18:40.5`,
    ],
  },
  {
    name: 'an outage that no probe could see for a while',
    async play(one) {
      one.world.api = 'down';
      one.world.cutOff();
      await one.pass(58_000);
      one.world.api = 'up';
      await one.pass(30_000);
    },
    tells: [
      'unreachable notable: 7 probes in a row told nothing from 00:17:53.4 on, because it does not answer: the shoot is down; it answered again 45 s later',
      'outage grave goes on: cut off: 5 of 5 leases were 30 s old or more, and the threshold was crossed at 00:18:05.1; decided 45.3 s later; ' +
        `${all} were at 0 after 45.7 s, 17.6 s before a node could be marked; still cut off`,
    ],
  },
  {
    name: 'an outage in which the seed refuses the writes for so long that a node may have been marked',
    async play(one) {
      one.world.writing = 'refused';
      one.world.cutOff();
      await one.pass(70_000);
      one.world.heal();
      await one.pass(120_000);
    },
    tells: [
      `outage bad: ${cutOff}; decided 0.01 s later; not everything is known to be scaled down, and a node may have been marked; connected again at 00:18:50.1; nothing was left to scale up`,
      ...['machine-controller-manager', 'cluster-autoscaler'].map(
        (name) =>
          `refusal bad: could not scale ${name} from 2 to 0 from 00:18:05.1 on, because the seed said: the seed said no; nobody wanted it any more 45 s later, when a node may have been marked already`,
      ),
      'refusal bad: could not scale kube-controller-manager from 2 to 0 from 00:18:06.7 on, because the seed said: the seed said no; nobody wanted it any more 43.4 s later, when a node may have been marked already',
    ],
  },
  {
    name: 'a write that is refused at first, and done in time',
    async play(one) {
      one.world.writing = 'refused';
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(500);
      one.world.writing = 'fine';
      await one.pass(3_000);
    },
    tells: [
      `outage grave goes on: ${cutOff}; decided 0.01 s later; ${all} were at 0 after 1.2 s, 5.4 s before a node could be marked; still cut off`,
      ...['machine-controller-manager', 'cluster-autoscaler'].map(
        (name) =>
          `refusal grave: could not scale ${name} from 2 to 0 from 00:18:05.1 on, because the seed said: the seed said no; it was written 0.77 s later`,
      ),
    ],
  },
  {
    name: 'a dependant that does not follow',
    async play(one) {
      one.world.stuck.add(controllerManager.key);
      one.world.cutOff();
      await one.pass(90_000);
    },
    tells: [
      `outage bad goes on: ${cutOff}; decided 0.01 s later; not everything is scaled down yet, and a node may have been marked; still cut off`,
    ],
  },
  {
    name: 'a dependant that was set to 0 in time, and is seen to have no pod only after a mark may have come',
    async play(one) {
      one.world.stuck.add(controllerManager.key);
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(10_000);
      one.world.follow(controllerManager.key);
      await one.pass(1_000);
    },
    tells: [
      `outage bad goes on: ${cutOff}; decided 0.01 s later; ${all} were set to 0 after 0.22 s, 6.4 s before a node could be marked, and the pods were seen to be gone 3.5 s after a node may have been marked; still cut off`,
    ],
  },
  {
    name: 'an outage in which all is set to 0 too late',
    async play(one) {
      one.world.writing = 'refused';
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(10_000);
      one.world.writing = 'fine';
      await one.pass(5_000);
    },
    tells: [
      `outage bad goes on: ${cutOff}; decided 0.01 s later; ${all} were seen at 0 after 14.6 s, 8 s after a node may have been marked; still cut off`,
      ...['machine-controller-manager', 'cluster-autoscaler'].map(
        (name) =>
          `refusal bad: could not scale ${name} from 2 to 0 from 00:18:05.1 on, because the seed said: the seed said no; it was written 12.8 s later, when a node may have been marked already`,
      ),
      // No level is waited for that long.
      'refusal bad: could not scale kube-controller-manager from 2 to 0 from 00:18:06.7 on, because the seed said: the seed said no; it was written 12.8 s later, when a node may have been marked already',
    ],
  },
  {
    name: 'a shoot that is cut off again on its way up as one outage',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.world.heal();
      await until(one, 'scalingUp');
      one.world.cutOff();
      await one.pass(60_000);
      one.world.heal();
      await one.pass(240_000);
    },
    tells: [
      `outage grave: ${cutOff}; ${down}; connected again at 00:19:45.1, after it was cut off once more; everything was brought back 51 s later`,
    ],
  },
  {
    name: 'an outage that the next process ends as one',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.restart();
      await one.pass(60_000);
      one.world.heal();
      await one.pass(240_000);
    },
    tells: [`outage grave: ${cutOff}; ${down}; connected again at 00:19:42.0; everything was brought back 36 s later`],
  },
  {
    name: 'a shoot that flaps as two outages, the last one of many times',
    async play(one) {
      for (let time = 0; time < 5; time++) {
        one.world.cutOff();
        await one.pass(45_000);
        one.world.heal();
        await one.pass(75_000);
      }
      await one.pass(120_000);
    },
    tells: [
      `outage grave: ${cutOff}; ${down}; connected again at 00:18:25.1; everything was brought back 36 s later`,
      `outage grave: 4 times since 00:20:05.1, the last time: ${cutOff.replace('18', '26')}; ${down}; connected again at 00:26:25.1; everything was brought back 2m36s later`,
    ],
  },
  {
    name: 'a shoot that is put to sleep in its outage, with what stays down',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.world.setCluster(hibernated);
      await one.pass(60_000);
    },
    tells: [
      `outage grave: ${cutOff}; ${down}; ended at 00:18:40.0, because the shoot is hibernated, and ${all} stay scaled down`,
      'pause notable goes on: not probed from 00:18:40.0 on, because the shoot is hibernated',
    ],
  },
  {
    name: 'a shoot that hibernates, and comes back',
    async play(one) {
      one.world.setCluster(hibernated);
      await one.pass(3_900_000);
      one.world.setCluster(active);
      await one.pass(60_000);
    },
    tells: ['pause notable: not probed from 00:17:40.0 on, because the shoot is hibernated; probed again 1h05m later'],
  },
  {
    name: 'a Cluster that cannot be read',
    async play(one) {
      one.world.setCluster({ readable: false, problem: 'spec.shoot is missing' });
      await one.pass(60_000);
    },
    tells: [
      'pause grave goes on: not probed from 00:17:40.0 on, because its Cluster cannot be read: spec.shoot is missing',
    ],
  },
  {
    name: 'nothing of a shoot that rests when the program begins, until it was probed',
    async play(one) {
      one.world.setCluster(hibernated);
      one.turns.length = 0;
      one.restart();
      await one.pass(60_000);
      one.world.setCluster(active);
      await one.pass(60_000);
    },
    tells: [],
  },
  {
    name: 'a shoot that does not answer',
    async play(one) {
      one.world.api = 'down';
      await one.pass(120_000);
      one.world.api = 'up';
      await one.pass(60_000);
    },
    tells: [
      'unreachable notable: 14 probes in a row told nothing from 00:17:53.4 on, because it does not answer: the shoot is down; it answered again 115 s later',
    ],
  },
  {
    name: 'nothing of probes that failed within some seconds',
    async play(one) {
      one.world.api = 'down';
      await one.pass(20_000);
      one.world.api = 'up';
      await one.pass(60_000);
    },
    tells: [],
  },
  {
    name: 'a clock that differs',
    async play(one) {
      one.world.shootAhead = 20_000;
      await one.pass(120_000);
      one.world.shootAhead = 0;
      await one.pass(660_000);
    },
    tells: ["oddLeases notable: at 00:17:53.4 the shoot's clock is 20.1 s ahead of ours; over 11m37s later"],
  },
  {
    name: 'a dependant that may not be read',
    async play(one) {
      one.world.breakWatch();
      one.world.forbidden.add(controllerManager.key);
      await one.pass(120_000);
      one.world.forbidden.clear();
      await one.pass(600_000);
    },
    tells: [
      'refusal grave: kube-controller-manager may not be read from 00:17:53.4 on, because the seed said: the seed forbids it; it could be read 2m10s later',
    ],
  },
];

test.each(stories)('9.7 it tells $name', async ({ config, play, tells }) => {
  const one = new GuardedWorld({ ...gardenerConfig, ...config }, 5);
  await one.pass(60_000);
  await play(one);
  expect(linesOf(episodesOf(one.turns))).toEqual(tells);
});
