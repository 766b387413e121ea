import { expect, test } from 'vitest';
import { rollCall } from '../../src/adapters/record/log/roll-call.ts';
import type { Turn } from '../../src/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { heardLog, named } from '@dwd/testing/heard-io.ts';
import { onTwoPaths, calmShoot, ofShoots, apiserver, ofNamespaces } from '@dwd/testing/recorded-nights.ts';
import { pod, WeederStage } from '@dwd/testing/weeder-stage.ts';

/** A roll call on a clock of its own, and what it said. */
function calling(leads = true) {
  const clock = new VirtualClock(1_790_000_000_000);
  const { log, lines } = heardLog('info', clock);
  const roll = rollCall({ log, clock, nobody: 'no shoot is known' });
  if (leads) roll.onLead(true);
  const take = (turns: readonly Turn[]) => {
    for (const turn of turns) roll.observe(turn);
  };
  const kind = (name: string) => named(lines, name);
  return { clock, lines, roll, take, kind, messages: () => lines.map(({ msg }) => msg) };
}

const five = 300_000;

/** The turns of a shoot to which this happens after a calm minute. */
async function lived(happen: (guarded: GuardedWorld) => unknown) {
  const guarded = await calmShoot();
  await happen(guarded);
  return guarded.turns;
}

const calm = await lived(() => undefined);
const down = await lived((guarded) => {
  guarded.world.cutOff();
  return guarded.pass(60_000);
});

/** What the roll call says a minute after these turns. */
async function calledAfter(turns: readonly Turn[]) {
  const { clock, take, kind } = calling();
  take(turns);
  await clock.advanceBy(60_000);
  return kind('roll call').map(({ msg }) => msg);
}

/** The same turns, of another subject. */
function renamed(turns: readonly Turn[], name: string): readonly Turn[] {
  return turns.map((turn) => ({ ...turn, subject: name }) as Turn);
}

test('9.4 a standby says nothing of shoots, neither from time to time nor at the end', async () => {
  const { clock, roll, lines } = calling(false);
  await clock.advanceBy(2 * five);
  roll.end();
  expect(lines).toEqual([]);
});

test('9.4 the log says how many shoots stand how: after a minute, then every five, in numbers and in a sentence', async () => {
  const { clock, take, kind } = calling();
  take(ofShoots(calm, 240));
  take(renamed(down, 'shoot--a--down'));
  const paused = await lived((guarded) => {
    guarded.world.setCluster({ readable: false, problem: 'spec.shoot is missing' });
    return guarded.pass(1_000);
  });
  const silent = await lived((guarded) => {
    guarded.world.api = 'down';
    return guarded.pass(60_000);
  });
  take(renamed(paused, 'shoot--a--paused'));
  take(renamed(silent, 'shoot--a--silent'));
  await clock.advanceBy(60_000);
  expect(kind('roll call')).toMatchObject([
    {
      level: 'info',
      shoots: 243,
      watched: 240,
      scaledDown: 1,
      unreadable: 1,
      notAnswering: 1,
      cutOff: 0,
      which: { unreadable: ['shoot--a--paused'], scaledDown: ['shoot--a--down'], notAnswering: ['shoot--a--silent'] },
      msg: '243 shoots: 1 unreadable, 1 scaled down, 1 not answering, 240 watched',
    },
  ]);
  await clock.advanceBy(3 * five);
  expect(kind('roll call')).toHaveLength(4);
});

test.each<[string, (guarded: GuardedWorld) => unknown]>([
  ['1 watched', () => undefined],
  [
    '1 scaling down',
    (guarded) => {
      guarded.world.writing = 'refused';
      guarded.world.cutOff();
      return guarded.pass(60_000);
    },
  ],
  [
    '1 scaled down and not answering',
    async (guarded) => {
      guarded.world.cutOff();
      await guarded.pass(60_000);
      guarded.world.api = 'down';
      await guarded.pass(60_000);
    },
  ],
  [
    '1 scaling up',
    async (guarded) => {
      guarded.world.cutOff();
      await guarded.pass(60_000);
      guarded.world.heal();
      while (guarded.state !== 'scalingUp') await guarded.pass(1_000);
    },
  ],
  ['1 scaled down by others', (guarded) => guarded.world.edit(controllerManager.key, { replicas: 0 })],
])('9.4 a shoot is counted as it stands: %s', async (words, happen) => {
  expect(await calledAfter(await lived(happen))).toEqual([`1 shoot: ${words}`]);
});

test('9.4 a shoot is counted before its first probe, and where its only node cannot tell', async () => {
  const { turns } = new GuardedWorld(gardenerConfig);
  expect(await calledAfter(turns)).toEqual(['1 shoot: 1 not probed yet']);
  const small = new GuardedWorld(gardenerConfig, 1);
  // The only node of a shoot is not judged before its lease is expired.
  small.world.cutOff();
  await small.pass(60_000);
  expect(await calledAfter(small.turns)).toEqual(['1 shoot: 1 too small to judge']);
});

test('9.4 a shoot that goes is not counted any more, and one that a bug ended is counted as such', async () => {
  const [one, other] = ofShoots(calm.slice(-1), 2);
  const turns: readonly Turn[] = [
    ...ofShoots(calm, 2),
    { ...one!, event: { type: 'ended', at: one!.at, because: 'gone' } },
    { ...other!, event: { type: 'ended', at: other!.at, because: 'bug' } },
  ];
  expect(await calledAfter(turns)).toEqual(['1 shoot: 1 unprotected']);
});

test('9.4 of those that do not stand as most do, ten of each standing are named', async () => {
  const { clock, take, kind } = calling();
  take(ofShoots(down, 33));
  await clock.advanceBy(60_000);
  const [line] = kind('roll call') as unknown as readonly Readonly<{ which: { scaledDown: string[] } }>[];
  expect(line!.which.scaledDown).toHaveLength(10);
});

test('9.4 a leader to whom the seed shows nothing says so', async () => {
  const { clock, messages } = calling();
  await clock.advanceBy(60_000);
  expect(messages()).toEqual(['no shoot is known']);
});

/** The turns of a prober that begins after this was done. */
const foundAfter = async (edit: (guarded: GuardedWorld) => void) =>
  lived(async (guarded) => {
    edit(guarded);
    guarded.restart();
    guarded.turns.length = 0;
    guarded.restart();
    await guarded.pass(10);
  });

test('6.5 6.10 9.4 the start says what was found down, and by whose hand', async () => {
  const ours = await foundAfter(({ world }) => {
    world.edit(controllerManager.key, { replicas: 0, mark: true, record: '2' });
    world.edit(machineController.key, { replicas: 0, mark: true, record: undefined });
  });
  const theirs = await foundAfter(({ world }) => world.edit(autoscaler.key, { replicas: 0 }));
  const both = await foundAfter(({ world }) => {
    world.edit(controllerManager.key, { replicas: 0, mark: true, record: '3' });
    world.edit(autoscaler.key, { replicas: 0 });
  });
  const hibernated = await foundAfter(({ world }) => {
    world.edit(controllerManager.key, { replicas: 0, mark: true, record: '1' });
    world.edit(autoscaler.key, { replicas: 0 });
    world.setCluster({ readable: true, cluster: { ...clusterOf(world), hibernationEnabled: true } });
  });
  const { clock, take, kind } = calling();
  const each = { ours, theirs, both, hibernated };
  for (const [name, some] of Object.entries(each)) take(some.map((turn) => ({ ...turn, subject: name })));
  take(ofShoots(calm, 1));
  const raised = 'it is scaled up once it is connected';
  expect(kind('found down').map(({ msg }) => msg)).toEqual([
    `ours was found scaled down by the watchdog: kube-controller-manager (2 replicas recorded), machine-controller-manager; ${raised}`,
    `theirs was found scaled down, but not by the watchdog: cluster-autoscaler; ${raised}`,
    `both was found scaled down by the watchdog: kube-controller-manager (3 replicas recorded), and not by the watchdog: cluster-autoscaler; ${raised}`,
    'hibernated was found scaled down by the watchdog: kube-controller-manager (1 replica recorded); nothing is scaled now: the shoot is hibernated',
  ]);
  await clock.advanceBy(5_000);
  expect(kind('found').map(({ msg }) => msg)).toEqual([
    '5 shoots: 3 found scaled down by the watchdog, 1 found scaled down, but not by the watchdog',
  ]);
});

function clusterOf({ cluster }: GuardedWorld['world']) {
  if (cluster?.readable !== true) throw new Error('the world begins with a readable Cluster');
  return cluster.cluster;
}

test('9.4 where nothing was found down, the start says that', async () => {
  const { clock, take, messages } = calling();
  take(ofShoots(calm, 3));
  await clock.advanceBy(5_000);
  expect(messages()).toEqual(['3 shoots: none was found down']);
});

test('6.10 9.4 the end says what stays down, by name, with the replicas that are recorded', () => {
  const { take, roll, lines } = calling();
  take(ofShoots(calm, 3));
  take(down);
  roll.end();
  roll.end();
  expect(lines.map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
    'warn: shoot--sim--one stays scaled down: kube-controller-manager (2 replicas recorded), machine-controller-manager (2 replicas recorded), cluster-autoscaler (2 replicas recorded)',
    'warn: 1 shoot stays scaled down until a prober leads again, or until the command release raises it',
  ]);
});

test('9.4 of a whole seed that is down, twenty shoots are named, and the rest is counted', () => {
  const { take, roll, kind, lines } = calling();
  take(ofShoots(down, 33));
  roll.end();
  expect(kind('left down')).toHaveLength(20);
  expect(lines.at(-1)).toMatchObject({
    line: 'left',
    shoots: 33,
    msg: '33 shoots stay scaled down until a prober leads again, or until the command release raises them; 13 more are not named here',
  });
});

test('9.4 of a whole seed that was found down, twenty shoots are named', async () => {
  const { clock, take, kind, lines } = calling();
  const found = await lived(async (guarded) => {
    guarded.world.edit(controllerManager.key, { replicas: 0, mark: true, record: '2' });
    guarded.turns.length = 0;
    guarded.restart();
    await guarded.pass(10);
  });
  take(ofShoots(found, 33));
  await clock.advanceBy(5_000);
  expect(kind('found down')).toHaveLength(20);
  expect(lines.at(-1)!.msg).toBe('33 shoots: 33 found scaled down by the watchdog');
});

test('6.10 9.4 the end names a scale-down that is under way, since nobody knows what will come of it', () => {
  const { take, roll, lines } = calling();
  take(down.slice(0, down.findIndex(({ to }) => to === 'scalingDown') + 1));
  roll.end();
  expect(lines[0]!.msg).toBe(
    'shoot--sim--one may be left with machine-controller-manager, cluster-autoscaler at 0: a scale-down is under way',
  );
});

test('9.4 where nothing is down, the end says that', () => {
  const { take, roll, messages } = calling();
  take(calm);
  roll.end();
  expect(messages()).toEqual(['no shoot stays scaled down']);
});

test('7.2 9.4 the weeder says how many services are available, down, and with an open window', async () => {
  const stage = new WeederStage(apiserver);
  await stage.pass(1_000);
  stage.sees(apiserver, pod('kcm'));
  await stage.pass(1_000);
  const open = stage.turns.slice();
  await stage.pass(310_000);
  const settled = stage.turns.slice();
  stage.ready(apiserver, 0);
  await stage.pass(1_000);
  const { clock, take, roll, kind, lines } = calling();
  take(ofNamespaces(settled, 3));
  take(renamed(open, 'shoot--open/kube-apiserver'));
  take(renamed(stage.turns, 'shoot--down/kube-apiserver'));
  await clock.advanceBy(60_000);
  expect(kind('roll call')).toMatchObject([
    {
      services: 5,
      available: 3,
      open: 1,
      down: 1,
      downAgain: 0,
      which: { open: ['shoot--open/kube-apiserver'], down: ['shoot--down/kube-apiserver'] },
      msg: '5 services: 1 down, 1 with an open window, 3 available',
    },
  ]);
  expect(kind('found down')).toEqual([]);
  roll.end();
  expect(lines.at(-1)!.msg).toBe(
    'the window of kube-apiserver of shoot--open ends with this process; the weeder that leads next begins it anew',
  );
});

test('7.2 9.4 the weeder says which services it found down', async () => {
  const stage = new WeederStage(apiserver);
  await stage.pass(1);
  const [started] = stage.turns;
  const seen = { type: 'slices.changed', at: 1, slices: { one: { ready: 0, endpoints: 2 } } } as const;
  const { clock, take, messages } = calling();
  take([started!, { ...started!, from: 'down', event: seen }]);
  await clock.advanceBy(5_000);
  expect(messages()).toEqual([
    'kube-apiserver of shoot--sim--one was found down: no pod is deleted until it is available',
    '1 service: 1 found down',
  ]);
});

test.each<[string, (guarded: GuardedWorld) => Promise<void> | void]>([
  ['1 watched', () => undefined],
  ['1 not answering', (guarded) => void (guarded.world.api = 'down')],
  [
    '1 cut off',
    async (guarded) => {
      guarded.world.loadBalancer = 'down';
      while (guarded.state !== 'leaseFailed') await guarded.pass(100);
    },
  ],
])('4.9 9.4 the log says of a shoot on two paths how it stands: %s', async (words, happen) => {
  const { clock, take, kind } = calling();
  take(
    await onTwoPaths(async (guarded) => {
      await happen(guarded);
      await guarded.pass(2_000);
    }),
  );
  await clock.advanceBy(60_000);
  expect(kind('roll call')).toMatchObject([{ msg: `1 shoot: ${words}` }]);
});

test('4.9 9.4 a shoot on two paths is not probed yet until a verdict was reached', async () => {
  const { clock, take, kind } = calling();
  const turns = await onTwoPaths(() => Promise.resolve());
  take(turns.slice(0, turns.findIndex(({ event }) => event.type === 'path.answered') + 1));
  await clock.advanceBy(60_000);
  expect(kind('roll call')).toMatchObject([{ msg: '1 shoot: 1 not probed yet' }]);
});
