import { expect, test } from 'vitest';
import { serviceRow, shootRow, type ShootRow } from '../../model/rows.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import {
  autoscaler,
  controllerManager,
  gardenerConfig,
  machineController,
  twoPathConfig,
} from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';

const standing = <State>({ subject, at, to }: Readonly<{ subject: string; at: number; to: State }>) => ({
  subject,
  state: to,
  since: null,
  lastAt: at,
});

type Case = Readonly<{ name: string; play(one: GuardedWorld): Promise<void>; row: Partial<ShootRow> }>;

/** The row of a shoot after this, and the world then. */
async function rowAfter(config: ProberConfig, play: Case['play']) {
  const one = new GuardedWorld(config, 5);
  await play(one);
  one.stop();
  const last = one.turns.at(-1)!;
  return { one, last, row: shootRow(standing(last), last.after) };
}

const down = (key: string, name: string, byUs: boolean) => ({ key, name, byUs, recorded: byUs ? 2 : null });
const calm = { down: [], refused: [], failuresInRow: 0, paused: null };

const cases: readonly Case[] = [
  {
    name: 'a shoot that was not seen yet',
    async play(one) {
      await one.pass(1);
      one.turns.splice(1);
    },
    row: { ...calm, state: 'idle', verdict: null, paused: 'its Cluster was not seen yet', nextProbeAt: null },
  },
  {
    name: 'a connected shoot',
    play: (one) => one.pass(90_000),
    row: { ...calm, state: 'probing', verdict: 'connected', expired: 0, candidates: 5, judgedAt: 1_073_400 },
  },
  {
    name: 'a shoot that is cut off and down',
    async play(one) {
      await one.pass(60_000);
      one.world.cutOff();
      await one.pass(60_000);
    },
    row: {
      ...calm,
      state: 'scaledDown',
      verdict: 'cutOff',
      expired: 5,
      candidates: 5,
      down: [
        down(controllerManager.key, 'kube-controller-manager', true),
        down(machineController.key, 'machine-controller-manager', true),
        down(autoscaler.key, 'cluster-autoscaler', true),
      ],
    },
  },
  {
    name: 'writes that are refused',
    async play(one) {
      await one.pass(60_000);
      one.world.writing = 'refused';
      one.world.cutOff();
      while (one.state !== 'scalingDown') await one.pass(100);
      await one.pass(5_000);
    },
    row: {
      state: 'scalingDown',
      verdict: 'cutOff',
      down: [],
      // No level waits for those that are refused.
      refused: ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'],
    },
  },
  {
    name: 'a dependant on its way down',
    async play(one) {
      await one.pass(60_000);
      one.world.cutOff();
      while (one.state !== 'scalingDown') await one.pass(1);
    },
    row: {
      state: 'scalingDown',
      down: [
        down(machineController.key, 'machine-controller-manager', false),
        down(autoscaler.key, 'cluster-autoscaler', false),
      ],
    },
  },
  {
    name: 'a dependant that may not be read',
    async play(one) {
      one.world.breakWatch();
      one.world.forbidden.add(controllerManager.key);
      await one.pass(60_000);
    },
    row: { state: 'probing', refused: ['kube-controller-manager'] },
  },
  {
    name: 'a shoot that does not answer',
    async play(one) {
      await one.pass(60_000);
      one.world.api = 'down';
      await one.pass(60_000);
    },
    row: { ...calm, state: 'probing', verdict: 'connected', failuresInRow: 8 },
  },
  {
    name: 'a shoot of one node',
    async play(one) {
      one.world.nodes.splice(1);
      await one.pass(90_000);
    },
    row: { ...calm, state: 'probing', verdict: 'tooFew', expired: 0, candidates: 1 },
  },
  {
    name: 'a shoot that rests',
    async play(one) {
      await one.pass(60_000);
      one.world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } });
      await one.pass(60_000);
    },
    row: {
      ...calm,
      state: 'idle',
      verdict: null,
      judgedAt: null,
      paused: 'the shoot is hibernated',
      nextProbeAt: null,
    },
  },
];

test.each(cases)('9.7 the seed shows $name', async ({ play, row }) => {
  const after = await rowAfter(gardenerConfig, play);
  expect(after.row).toMatchObject({ shoot: 'shoot--sim--one', since: null, lastAt: after.last.at, ...row });
});

async function leftAlone(one: GuardedWorld): Promise<void> {
  await one.pass(60_000);
  one.world.api = 'down';
  await one.pass(20_000);
}

const pathCases: readonly Case[] = [
  {
    name: 'a shoot of two paths before its first verdict',
    play: (one) => one.pass(10_000),
    row: {
      state: 'probing',
      verdict: null,
      paths: { external: null, reason: null, carriedAt: null, internalFailures: 0, leftAloneUntil: null },
    },
  },
  {
    name: 'a connected shoot of two paths',
    play: (one) => one.pass(60_000),
    row: {
      ...calm,
      state: 'probing',
      verdict: 'connected',
      expired: 0,
      candidates: 0,
      judgedAt: null,
      paths: {
        external: { count: expect.any(Number), of: 1 },
        reason: null,
        carriedAt: expect.any(Number),
        internalFailures: 0,
        leftAloneUntil: null,
      },
    },
  },
  {
    name: 'a shoot of two paths that is cut off, and not often enough yet',
    async play(one) {
      await one.pass(60_000);
      one.world.loadBalancer = 'down';
      while (one.state !== 'leaseFailed') await one.pass(100);
    },
    row: { state: 'leaseFailed', verdict: 'cutOff', paths: expect.objectContaining({ external: { count: 1, of: 3 } }) },
  },
  {
    name: 'a shoot of two paths that is left alone',
    play: leftAlone,
    row: {
      state: 'probing',
      verdict: 'connected',
      failuresInRow: 3,
      paths: expect.objectContaining({ internalFailures: 3 }),
    },
  },
];

test.each(pathCases)('4.9 9.7 the seed shows $name', async ({ play, row }) => {
  expect((await rowAfter(twoPathConfig, play)).row).toMatchObject(row);
});

test('4.9 9.7 where a shoot is left alone, its next probe comes after that', async () => {
  const { one, row } = await rowAfter(twoPathConfig, leftAlone);
  const { nextProbeAt, paths } = row;
  expect(nextProbeAt).toBe(paths?.leftAloneUntil);
  expect(nextProbeAt).toBeGreaterThan(one.clock.now() + 10_000);
});

test('9.7 while a probe is under way, none is planned', async () => {
  const one = new GuardedWorld(gardenerConfig, 5);
  await one.pass(60_000);
  one.stop();
  const rows = one.turns.map(
    (turn) => [turn.commands.map(({ type }) => type), shootRow(standing(turn), turn.after)] as const,
  );
  const [, asking] = rows.find(([types]) => types.includes('probe'))!;
  expect(asking.nextProbeAt).toBeNull();
  expect(rows.at(-1)![1].nextProbeAt).toBeGreaterThan(one.clock.now());
});

test('9.7 where no snapshot is known, the state alone is told', () => {
  const last = { subject: 'shoot--a', at: 7, to: 'scaledDown' } as const;
  expect(shootRow(standing(last), undefined)).toMatchObject({
    state: 'scaledDown',
    verdict: null,
    down: [],
    paused: null,
  });
  expect(serviceRow(standing({ ...last, subject: 'shoot--a/etcd', to: 'down' }), undefined)).toEqual({
    service: 'shoot--a/etcd',
    state: 'down',
    since: null,
    readyEndpoints: 0,
    endpoints: 0,
    windowEndsAt: null,
    deleted: 0,
    crashLooping: 0,
    lastAt: 7,
  });
});

const rowOf = (turn: WeederTurn) => serviceRow(standing(turn), turn.after);

test('9.7 the seed shows a service with its endpoints, its window and its pods', async () => {
  const service = 'shoot--sim--one/kube-apiserver';
  const stage = new WeederStage(service);
  await stage.pass(310_000);
  stage.ready(service, 0);
  await stage.pass(60_000);
  expect(rowOf(stage.turns.at(-1)!)).toMatchObject({
    state: 'down',
    readyEndpoints: 0,
    endpoints: 2,
    windowEndsAt: null,
  });
  stage.ready(service, 1);
  stage.sees(service, pod('kcm'));
  await stage.pass(1_000);
  stage.answer = () => ({ outcome: 'failed', reason: '500', detail: 'the seed is ill' });
  stage.sees(service, pod('scheduler'));
  await stage.pass(100);
  stage.stop();
  const last = stage.turns.at(-1)!;
  expect(rowOf(last)).toMatchObject({
    service,
    state: 'recovering',
    readyEndpoints: 1,
    endpoints: 2,
    windowEndsAt: 1_000_000 + 310_000 + 60_000 + 300_000,
    deleted: 1,
    crashLooping: 1,
    lastAt: last.at,
  });
});
