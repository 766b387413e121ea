import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { onTwoPaths, pathOutage, type PathFaults } from '@dwd/testing/recorded-nights.ts';
import { linesOf } from '@dwd/testing/heard-io.ts';

const story = await pathOutage();

const messages = (turns: readonly ShootTurn[]) => linesOf(turns).map(({ msg }) => msg.replace('shoot--sim--one', 'S'));

test('4.9 9.4 each line of an outage on two paths makes sense alone: it names the path that failed, and why', () => {
  expect(messages(story)).toEqual([
    'S is probed from now on',
    'S does not answer on the internal path: the shoot is down',
    'S: the internal path has failed 3 times in a row; nothing new is scaled, and after each failure the shoot is left alone for 30.0 s, until the path answers',
    'S can be judged again, after 63.0 s and 4 failed probes',
    'S is cut off: the external path failed 1 time of the 3 in a row that it takes (the shoot is down), while the internal one answers; it is scaled down if the next probes find the same',
    'S is cut off: the external path failed 3 times in a row (the shoot is down), while the internal one answers; it is scaled down',
    'S: scaled machine-controller-manager from 2 to 0 (marked, 2 recorded)',
    'S: scaled cluster-autoscaler from 2 to 0 (marked, 2 recorded)',
    'S: scaled kube-controller-manager from 2 to 0 (marked, 2 recorded)',
    'S is scaled down',
    'S: everything is scaled down, 7.1 s after the external path was first found broken, 11.4 s before the first node could have been marked',
    'S is connected again: the external path answers; it is scaled up',
    'S: scaled kube-controller-manager from 0 to 2',
    'S: removed our mark and record from kube-controller-manager',
    'S: scaled machine-controller-manager from 0 to 2',
    'S: removed our mark and record from machine-controller-manager',
    'S: scaled cluster-autoscaler from 0 to 2',
    'S: removed our mark and record from cluster-autoscaler',
    'S is connected, and nothing of it is left to scale up',
    'S: everything is brought back, 36.0 s after the scale-up began',
    'S was cut off: from 00:19:50.0 on the external path failed 3 times in a row (the shoot is down), while the internal one answered; decided 6.7 s later; machine-controller-manager, cluster-autoscaler and kube-controller-manager were at 0 after 7.1 s, 11.4 s before a node could be marked; connected again at 00:21:11.6; everything was brought back 36 s later',
    'S is paused: the shoot is gone',
  ]);
});

test('4.9 9.4 the fields beside it say how often in a row, of how many, and why', () => {
  const lines = linesOf(story);
  expect(lines.find(({ to }) => to === 'scalingDown')).toMatchObject({
    line: 'state changed',
    verdict: 'cutOff',
    external: { count: 3, of: 3 },
    reason: 'unreachable',
    detail: 'the shoot is down',
    sinceFirstFailureMs: expect.any(Number),
  });
  const healed = lines.find(({ to }) => to === 'scalingUp');
  expect(healed).toMatchObject({ verdict: 'connected', external: { count: 1, of: 1 } });
  expect(healed).not.toHaveProperty('reason');
  expect(lines.find(({ line }) => line === 'internal path fails')).toMatchObject({ failures: 3, leftAloneMs: 30_000 });
  expect(lines.find(({ line }) => line === 'outage over')).toMatchObject({
    external: { count: 3, of: 3 },
    reason: 'unreachable',
    decidedAfterMs: expect.any(Number),
  });
  expect(lines.filter((line) => 'expired' in line || 'candidates' in line || 'sinceThresholdMs' in line)).toEqual([]);
});

const fails = (stage: 'internal' | 'external', reason: ProbeFailure['reason']) => () =>
  Promise.resolve({ stage, reason, detail: 'D' });

test.each<[string, PathFaults]>([
  ['S does not answer on the internal path: D', { internal: fails('internal', 'timeout') }],
  ['S gives no useful answer on the internal path: D', { internal: fails('internal', 'certificate') }],
  ['S gives no useful answer on the internal path: D', { internal: fails('internal', 'refused') }],
  ['S cannot be probed on the internal path: D', { internal: fails('internal', 'kubeconfig') }],
  [
    'S could not be probed on the internal path, which is no fault of the shoot: D',
    { internal: fails('internal', 'local') },
  ],
  ['S cannot be probed on the external path: D', { external: fails('external', 'kubeconfig') }],
  [
    'S could not be probed on the external path, which is no fault of the shoot: D',
    { external: fails('external', 'local') },
  ],
])('4.9 9.4 a probe that told nothing names the path that told nothing, once: %s', async (words, broken) => {
  const turns = await onTwoPaths(async (guarded, faults) => {
    Object.assign(faults, broken);
    await guarded.pass(60_000);
    for (const path of ['internal', 'external'] as const) delete faults[path];
    await guarded.pass(60_000);
  });
  const untold = messages(turns).filter((message) => !message.startsWith('S: the internal path has failed'));
  expect(untold.slice(1)).toEqual([words, expect.stringMatching(/^S can be judged again, after \S+ s and \d+ failed/)]);
});

test.each(['unauthorized', 'throttled'] as const)(
  '4.9 9.4 a refusal of the API server (%s) is an answer, and no news',
  async (reason) => {
    const turns = await onTwoPaths(async (guarded, faults) => {
      Object.assign(faults, { internal: fails('internal', reason), external: fails('external', reason) });
      await guarded.pass(120_000);
    });
    expect(messages(turns)).toEqual(['S is probed from now on']);
  },
);

test('4.9 9.4 an external path that could not be told of is told once the internal one answers: it had too little time', async () => {
  const turns = await onTwoPaths(async (guarded, faults) => {
    const answersAt = (at: number) => firstValueFrom(guarded.clock.wakeAt(at));
    faults.internal = fails('internal', 'unreachable');
    await guarded.pass(10_000);
    faults.internal = (deadlineAt) => answersAt(deadlineAt - 1_000).then(() => undefined);
    faults.external = (deadlineAt) => answersAt(deadlineAt).then(fails('external', 'timeout'));
    await guarded.pass(60_000);
    for (const path of ['internal', 'external'] as const) delete faults[path];
    await guarded.pass(60_000);
  });
  expect(messages(turns).slice(1)).toEqual([
    'S does not answer on the internal path: D',
    'S: the internal path has failed 3 times in a row; nothing new is scaled, and after each failure the shoot is left alone for 30.0 s, until the path answers',
    'S had too little time to answer on the external path: D',
    expect.stringMatching(/^S can be judged again, after \S+ s and \d+ failed probes$/),
  ]);
});

test('3.5 4.9 9.4 a verdict that waited for the Cluster says why the path failed as well', async () => {
  const turns = await onTwoPaths(async (guarded) => {
    guarded.world.breakClusters();
    guarded.world.loadBalancer = 'hanging';
    await guarded.pass(60_000);
  });
  expect(turns.some(({ event }) => event.type === 'cluster.answered')).toBe(true);
  expect(messages(turns)).toContain(
    'S is cut off: the external path failed 3 times in a row (the shoot is hanging), while the internal one answers; it is scaled down',
  );
});
