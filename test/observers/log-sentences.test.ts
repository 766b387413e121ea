import { expect, test } from 'vitest';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import type { ResourceChange, WriteAnswer } from '../../src/domain/prober/resource-view.ts';
import type { ShootTurn, Turn } from '../../src/effects/turn.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';
import { crowdedShoot } from '../support/guarded-shoots.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { scaleOf } from '@dwd/testing/shoot-driver.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { present } from '@dwd/testing/views.ts';
import { calmShoot, meltdown, recovery } from '@dwd/testing/recorded-nights.ts';
import { linesOf, named } from '@dwd/testing/heard-io.ts';

const story = await meltdown();
const weeded = await recovery();

const messages = (turns: readonly Turn[]) => linesOf(turns).map(({ msg }) => msg);

test('4.7 9.4 that leases are left out is one line, with how many and what to do', async () => {
  const crowded = crowdedShoot(() => 500);
  await crowded.pass(120_000);
  const lines = named(linesOf(crowded.turns), 'leases left out');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'warn', leases: 500 });
  expect(lines[0]?.['msg']).toBe(
    'shoot--sim--one: the shoot has more leases than are kept; 500 leases, the oldest, are left out. Check why the leases of old nodes are not deleted there',
  );
});

test('9.4 each line of an outage makes sense alone: it names the shoot and says what happened', () => {
  expect(messages(story).map((message) => message.replace('shoot--sim--one', 'S'))).toEqual([
    'S is probed from now on',
    'S does not answer: the shoot is down',
    'S answers again, after 15.0 s and 4 failed probes',
    'S: 4 of 5 leases are late; if nobody renews, it counts as cut off in 8.3 s',
    'S is cut off: 3 of 5 leases are expired (node-1 silent for 33.4 s, node-2 for 31.7 s, node-3 for 30.0 s); it is scaled down',
    'S: scaled machine-controller-manager from 2 to 0 (marked, 2 recorded)',
    'S: scaled cluster-autoscaler from 2 to 0 (marked, 2 recorded)',
    'S: scaled kube-controller-manager from 2 to 0 (marked, 2 recorded)',
    'S is scaled down',
    'S: everything is scaled down, 0.4 s after the threshold was crossed, 6.2 s before the first node would have been marked',
    'S is connected again: 0 of 5 leases are expired; it is scaled up',
    'S: scaled kube-controller-manager from 0 to 2',
    'S: removed our mark and record from kube-controller-manager',
    'S: scaled machine-controller-manager from 0 to 2',
    'S: removed our mark and record from machine-controller-manager',
    'S: scaled cluster-autoscaler from 0 to 2',
    'S: removed our mark and record from cluster-autoscaler',
    'S is connected, and nothing of it is left to scale up',
    'S: everything is brought back, 36.0 s after the scale-up began',
    'S was cut off: 3 of 5 leases were 30 s old at 00:20:25.1; decided 0.01 s later; machine-controller-manager, cluster-autoscaler and kube-controller-manager were at 0 after 0.42 s, 6.2 s before a node could be marked; connected again at 00:21:30.1; everything was brought back 36 s later',
    'S is paused: the shoot is gone',
  ]);
});

test('9.4 each kind of line is named in `line`, whatever its message says, and no field is null', () => {
  for (const turns of [story, weeded]) {
    const lines = linesOf(turns, 'debug');
    expect(lines.filter(({ line }) => typeof line !== 'string')).toEqual([]);
    expect(JSON.stringify(lines)).not.toMatch(/:null|undefined/);
  }
});

const [answered] = story.filter(({ event }) => event.type === 'scale.answered');

function written(change: ResourceChange, answer: WriteAnswer, replicas = 2): ShootTurn {
  const asked = scaleOf(controllerManager, { seen: present({ replicas }), change });
  return { ...answered!, event: { type: 'scale.answered', at: 4, askedAt: 0, asked, answer } };
}

const done: WriteAnswer = { outcome: 'written', view: present() };

test.each<[string, ResourceChange, WriteAnswer]>([
  ['scaled kube-controller-manager from 2 to 0 (marked, 2 recorded)', { replicas: 0, mark: true, record: 2 }, done],
  ['scaled kube-controller-manager from 2 to 0', { replicas: 0 }, done],
  ['set our mark on kube-controller-manager and recorded 2', { mark: true, record: 2 }, done],
  ['removed our mark and record from kube-controller-manager', { mark: false, record: null }, done],
  ['removed our mark from kube-controller-manager', { mark: false }, done],
  ['removed our record from kube-controller-manager', { record: null }, done],
  [
    'could not scale kube-controller-manager from 2 to 0: no; it is tried again',
    { replicas: 0, mark: true, record: 2 },
    { outcome: 'failed', detail: 'no' },
  ],
  [
    'could not scale kube-controller-manager from 2 to 0: the answer shows 1 replica set by policy-agent; it is tried again',
    { replicas: 0, mark: true, record: 2 },
    { outcome: 'undone', view: present({ replicas: 1, marked: true, record: '2', scaledBy: 'policy-agent' }) },
  ],
  [
    'could not scale kube-controller-manager from 2 to 1: the answer shows 0 replicas and our mark; it is tried again',
    { replicas: 1, mark: false, record: null },
    { outcome: 'undone', view: present({ replicas: 0, marked: true, record: '2', scaledBy: 'dependency-watchdog' }) },
  ],
  [
    'could not set our mark on kube-controller-manager: the answer shows no mark; it is tried again',
    { mark: true, record: 2 },
    { outcome: 'undone', view: present() },
  ],
  [
    'did not remove our mark from kube-controller-manager: somebody else changed it meanwhile, and it is read again',
    { mark: false },
    { outcome: 'conflict' },
  ],
  [
    'did not set our mark on kube-controller-manager: it does not exist any more',
    { mark: true, record: 2 },
    { outcome: 'missing' },
  ],
  [
    'did not scale kube-controller-manager from 2 to 0: the write was taken back before it was sent',
    { replicas: 0 },
    { outcome: 'withdrawn' },
  ],
])('9.4 a write says in words what it did: %s', (words, change, answer) => {
  expect(messages([written(change, answer)])).toEqual([`shoot--sim--one: ${words}`]);
});

test.each<[string, Omit<ProbeFailure, 'detail'>]>([
  ['shoot--sim--one does not answer: D', { stage: 'version', reason: 'unreachable' }],
  ['shoot--sim--one does not answer when asked for its nodes: D', { stage: 'nodes', reason: 'timeout' }],
  ['shoot--sim--one gives no useful answer when asked for its leases: D', { stage: 'leases', reason: 'garbled' }],
  ['shoot--sim--one cannot be probed: D', { stage: 'version', reason: 'kubeconfig' }],
  ['the seed does not list the Machines of shoot--sim--one: D', { stage: 'machines', reason: 'refused' }],
])('9.4 a probe that fails says who did not answer: %s', (words, failure) => {
  const [failed] = story.filter(({ event }) => event.type === 'probe.failed');
  const event = { type: 'probe.failed', at: 1, number: 1, askedAt: 0, failure: { ...failure, detail: 'D' } } as const;
  expect(messages([{ ...failed!, event }])).toEqual([words]);
});

test.each<[string, ShootState, ShootState, 'cutOff' | 'connected' | 'tooFew' | undefined]>([
  ['is cut off: 3 of 5 leases are expired; it is scaled down already', 'probing', 'scaledDown', 'cutOff'],
  [
    'is cut off: 3 of 5 leases are expired; it is scaled down if the next probes find the same',
    'probing',
    'leaseFailed',
    'cutOff',
  ],
  [
    'is cut off: 3 of 5 leases are expired; it is scaled down again, since somebody raised it',
    'scaledDown',
    'scalingDown',
    'cutOff',
  ],
  ['is connected again: 3 of 5 leases are expired', 'leaseFailed', 'probing', 'connected'],
  [
    'is connected again: 3 of 5 leases are expired; nothing of it is left to scale up',
    'scaledDown',
    'probing',
    'connected',
  ],
  [
    'is connected: 3 of 5 leases are expired; what still bears a mark of the watchdog, or is not known of it, is looked after',
    'probing',
    'scalingUp',
    'connected',
  ],
  [
    'has too few leases to tell: 3 of 5 leases are expired; what the watchdog scaled down is scaled up',
    'scaledDown',
    'scalingUp',
    'tooFew',
  ],
])('9.4 a change of state is a sentence: %s', (words, from, to, verdict) => {
  const turn = story.find(({ event }) => event.type === 'woken')!;
  const notes =
    verdict === undefined ? [] : [{ kind: 'verdict', verdict, expired: 3, candidates: 5, looked: true } as const];
  expect(messages([{ ...turn, from, to, notes }])).toContain(`shoot--sim--one ${words}`);
});

test.each([
  ['is connected again', 'connected'],
  ['has too few leases to tell', 'tooFew'],
] as const)('6.5 9.4 a return that waits says so with the change of state: %s', (words, verdict) => {
  const turn = story.find(({ event }) => event.type === 'woken')!;
  const notes = [
    { kind: 'verdict', verdict, expired: 0, candidates: 5, looked: true },
    { kind: 'returnWaits', until: turn.at + 30_000, descents: 3 },
  ] as const;
  expect(messages([{ ...turn, from: 'scaledDown', to: 'scalingUp', notes }])).toEqual([
    `shoot--sim--one ${words}: 0 of 5 leases are expired; it waits for 30.0 s before it is scaled up, since it was scaled down 3 times, each within 10 minutes of the one before`,
  ]);
});

test('6.5 9.4 what is raised names who had scaled it to 0, where the seed remembers', () => {
  const seen = present({ replicas: 0, readyReplicas: 0, scaledBy: 'kubectl' });
  const asked = scaleOf(controllerManager, { seen, change: { replicas: 1 }, urgent: false });
  const event = { type: 'scale.answered', at: 4, askedAt: 0, asked, answer: done } as const;
  expect(messages([{ ...answered!, event }])).toEqual([
    'shoot--sim--one: scaled kube-controller-manager from 0 to 1: kubectl had scaled it to 0',
  ]);
});

test('6.10 9.4 a process that takes over and finds our mark tells an outage of which nobody saw the begin', async () => {
  const guarded = await calmShoot();
  guarded.world.cutOff();
  await guarded.pass(60_000);
  guarded.world.heal();
  guarded.restart();
  const told = guarded.turns.length;
  await guarded.pass(120_000);
  const after = messages(guarded.turns.slice(told));
  expect(after.filter((one) => one.includes('found scaled down') || one.includes('since the watchdog'))).toEqual([
    'shoot--sim--one is connected: 0 of 5 leases are expired; it is scaled up, since the watchdog had scaled it down',
    expect.stringMatching(
      /^shoot--sim--one was found scaled down by the watchdog, and nobody saw since when; connected again at \S+; everything was brought back 36 s later$/,
    ),
  ]);
});

test('3.1 9.4 a pause says what stays down that the watchdog took down', async () => {
  const guarded = await calmShoot();
  guarded.world.cutOff();
  await guarded.pass(60_000);
  guarded.world.setCluster({ readable: false, problem: 'spec.shoot is missing' });
  await guarded.pass(1_000);
  const all = gardenerConfig.dependants.map(({ ref }) => `${ref.name} (2 replicas recorded)`);
  const [last, over] = messages(guarded.turns).slice(-2);
  expect(over).toMatch(
    /; ended at \S+, because its Cluster cannot be read: spec\.shoot is missing, and .* stay scaled down$/,
  );
  expect(last).toMatch(
    /^shoot--sim--one is paused: its Cluster cannot be read: spec\.shoot is missing; .* stay scaled down$/,
  );
  for (const one of all) expect(last).toContain(one);
});

test('6.5 9.4 what somebody else scales to 0 is told apart from what the watchdog scales, and is silent while the shoot is paused', async () => {
  const guarded = await calmShoot();
  guarded.world.edit(controllerManager.key, { replicas: 0 });
  await guarded.pass(60_000);
  expect(messages(guarded.turns).slice(-4)).toEqual([
    'shoot--sim--one: kube-controller-manager was scaled from 2 to 0, but not by the watchdog',
    'shoot--sim--one is connected: 0 of 5 leases are expired; it is scaled up, since somebody else had scaled kube-controller-manager to 0',
    'shoot--sim--one: scaled kube-controller-manager from 0 to 1: somebody else had scaled it to 0',
    'shoot--sim--one is connected, and nothing of it is left to scale up',
  ]);
  const others = () => named(linesOf(guarded.turns), 'scaled by others');
  expect(others()).toMatchObject([
    {
      resource: controllerManager.key,
      fromReplicas: 2,
      toReplicas: 0,
      msg: 'shoot--sim--one: kube-controller-manager was scaled from 2 to 0, but not by the watchdog',
    },
  ]);
  guarded.world.cutOff();
  await guarded.pass(60_000);
  expect(guarded.state).toBe('scaledDown');
  guarded.world.heal();
  await guarded.pass(120_000);
  guarded.world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } });
  guarded.world.edit(controllerManager.key, { replicas: 0 });
  await guarded.pass(1_000);
  expect(others()).toHaveLength(1);
});
