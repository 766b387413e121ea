import { expect, test } from 'vitest';
import { controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import type { LeaseConfig } from '../../../src/domain/prober/prober-config.ts';
import type { Episode } from '../../../src/adapters/record/episodes/episode.ts';
import { followOutages } from '../../../src/adapters/record/episodes/outage-episode.ts';
import type { LeaderOf } from '../../../src/adapters/record/episodes/leaders.ts';

type Story = Readonly<{
  name: string;
  config?: Partial<LeaseConfig>;
  play(one: GuardedWorld, lead: (run: string) => void): Promise<void>;
  odds: readonly string[];
}>;

async function until(one: GuardedWorld, state: string): Promise<void> {
  while (one.state !== state) await one.pass(100);
}

const stories: readonly Story[] = [
  {
    name: 'nothing of a shoot that was in time',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
    },
    odds: [],
  },
  {
    name: 'a seed that refused a write for long',
    async play(one) {
      one.world.writing = 'refused';
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(10_000);
      one.world.writing = 'fine';
      await one.pass(5_000);
    },
    odds: ['was 8.9 s too late: the seed refused a write for 12.8 s'],
  },
  {
    name: 'what was not ready again when all was scaled up',
    async play(one) {
      one.world.cutOff();
      await until(one, 'scaledDown');
      one.world.stuck.add(machineController.key);
      one.world.heal();
      await until(one, 'probing');
    },
    odds: ['came back with machine-controller-manager not ready'],
  },
  {
    name: 'nothing of what was ready late, and before all was up',
    async play(one) {
      one.world.cutOff();
      await until(one, 'scaledDown');
      one.world.stuck.add(controllerManager.key);
      one.world.heal();
      await until(one, 'scalingUp');
      await one.pass(32_000);
      one.world.follow(controllerManager.key);
      await until(one, 'probing');
    },
    odds: [],
  },
  {
    name: 'pods that took long to end',
    async play(one) {
      one.world.stuck.add(controllerManager.key);
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(10_000);
      one.world.follow(controllerManager.key);
      await one.pass(1_000);
    },
    odds: ['was 5 s too late: the pods of kube-controller-manager took 10.1 s to end'],
  },
  {
    name: 'a threshold that was met late, by the last of the leases',
    config: { nodeLeaseFailureFraction: 1 },
    async play(one) {
      one.world.stuck.add(controllerManager.key);
      one.world.cutOff();
      await until(one, 'scalingDown');
      await one.pass(2_000);
      one.world.follow(controllerManager.key);
      await one.pass(1_000);
    },
    odds: ['was 0.40 s too late: enough leases had expired only 1.7 s before the first node could be marked'],
  },
  {
    name: 'an API server that answered late',
    async play(one) {
      one.world.api = 'slow';
      one.world.cutOff();
      await one.pass(60_000);
    },
    odds: ['was 0.31 s too late: its API server took 3 s to answer'],
  },
  {
    name: 'several verdicts that were wanted',
    config: { failureThreshold: 3 },
    async play(one) {
      one.world.cutOff();
      await one.pass(120_000);
    },
    odds: ['was 60.8 s too late: it takes 3 probes in a row that find it so, which took 65.5 s'],
  },
  {
    name: 'an API server that told nothing',
    async play(one) {
      one.world.api = 'hanging';
      one.world.cutOff();
      await one.pass(58_000);
      one.world.api = 'up';
      await one.pass(60_000);
    },
    odds: ['was 4.4 s too late: its API server told nothing for 61 s (timeout)'],
  },
  {
    name: 'a new leader',
    async play(one, lead) {
      one.world.cutOff();
      await one.pass(20_000);
      one.stop();
      await one.pass(30_000);
      lead('b');
      one.start(true);
      await one.pass(60_000);
    },
    odds: [
      'was 33.2 s too late: the prober b took the lead in the outage, and asked 37.9 s after the threshold was met',
    ],
  },
  {
    name: 'somebody who raised a dependant',
    async play(one) {
      one.world.cutOff();
      await one.pass(60_000);
      one.world.edit(controllerManager.key, { replicas: 1 });
      await one.pass(60_000);
    },
    odds: ['had kube-controller-manager raised by somebody else'],
  },
];

/** The odd things of the one outage that the turns tell. */
async function oddsOf({ config = {}, play }: Story): Promise<readonly string[]> {
  let run = 'a';
  let tookAt = 0;
  const leaderOf: LeaderOf = (name) => ({
    run: name,
    words: `the prober ${name}`,
    tookAt: name === 'a' ? 0 : tookAt,
    how: 'ranOut',
    ...(name === 'a' ? {} : { from: 'a' }),
  });
  const follow = followOutages(leaderOf);
  const told = new Map<string, () => Episode>();
  const one = new GuardedWorld({ ...gardenerConfig, ...config }, 5, {
    onTurn: (turn) => follow(turn, run).forEach((draft) => told.set(draft.id, draft.episode)),
  });
  await one.pass(85_000);
  await play(one, (name) => {
    run = name;
    tookAt = one.clock.now();
  });
  return [...told.values()].flatMap((episode) => (episode().odds ?? []).map(({ words }) => words));
}

test.each(stories)('9.19 $name', async (story) => {
  expect(await oddsOf(story)).toEqual(story.odds);
});
