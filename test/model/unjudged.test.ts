import { describe, expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { mcm, newShoot, probedShoot, takeDown } from '../support/lease-shoots.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import { present } from '@dwd/testing/views.ts';

const all = [controllerManager, machineController, autoscaler].map(({ key }) => key);
const minutes = (count: number): Millis => count * 60_000;
const replicas = ({ world }: GuardedWorld) => all.map((key) => world.state(key).replicas);
const said = ({ turns }: GuardedWorld, kind: string) =>
  turns.flatMap(({ notes }) => notes.filter((note) => note.kind === kind));

/** By what mistake no node's lease counts. */
const mistakes: Readonly<Record<string, (guarded: GuardedWorld, made: boolean) => void>> = {
  'all nodes bear not-managed-by-mcm': ({ world }, made) => {
    for (const node of world.nodes) node.view = { ...node.view, unmanaged: made };
  },
  'no Machine has the label of its node': ({ world }, made) => {
    for (const node of world.nodes) node.machine = made ? undefined : 'Running';
  },
};

async function shoot(nodes = 5): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  await guarded.pass(100_000);
  return guarded;
}

async function cutOff(guarded: GuardedWorld): Promise<GuardedWorld> {
  guarded.world.cutOff();
  await guarded.pass(minutes(2));
  return guarded;
}

describe.each(Object.entries(mistakes))('5.8 %s', (_, make) => {
  test('5.8 it is told within some minutes, in calm, and once; and that it is over', async () => {
    const guarded = await shoot();
    make(guarded, true);
    await guarded.pass(minutes(12));
    expect(said(guarded, 'unjudged')).toMatchObject([{ nodes: 5, leases: 0, untold: [{ nodes: 5 }] }]);
    await guarded.pass(minutes(120));
    expect(said(guarded, 'unjudged')).toHaveLength(1);
    make(guarded, false);
    await guarded.pass(minutes(12));
    expect(said(guarded, 'unjudgedOver')).toHaveLength(1);
    await cutOff(guarded);
    expect(guarded.state).toBe('scaledDown');
  });

  test('5.8 an outage scales nothing, and no verdict says that the shoot is connected', async () => {
    const guarded = await shoot();
    make(guarded, true);
    await cutOff(guarded);
    await guarded.pass(minutes(10));
    expect(guarded.world.writes).toEqual([]);
    expect(said(guarded, 'unjudged')).toHaveLength(1);
  });

  test('5.8 what others took down stays down, for one look a minute at most', async () => {
    const guarded = await shoot();
    make(guarded, true);
    guarded.world.edit(machineController.key, { replicas: 0 });
    await guarded.pass(minutes(30));
    expect(guarded.world.writes).toEqual([]);
    expect(guarded.world.asked.machines).toBeLessThanOrEqual(31);
  });

  test('5.8 L1 made in an outage, it raises nothing while the nodes are silent, and what is ours once they renew', async () => {
    const guarded = await cutOff(await shoot());
    make(guarded, true);
    await guarded.pass(minutes(10));
    expect(replicas(guarded)).toEqual([0, 0, 0]);
    guarded.world.heal();
    await guarded.pass(minutes(2));
    expect(replicas(guarded)).toEqual([2, 2, 2]);
  });
});

test('5.8 L1 one node that stays silent does not keep down what is ours', async () => {
  const guarded = await cutOff(await shoot());
  mistakes['all nodes bear not-managed-by-mcm']?.(guarded, true);
  guarded.world.heal();
  guarded.world.cutOff(1);
  await guarded.pass(minutes(3));
  expect(replicas(guarded)).toEqual([2, 2, 2]);
});

test('5.8 no lease has a renewTime that can be read: it is told, and that it is over', async () => {
  const guarded = await shoot();
  guarded.world.unreadable = true;
  await guarded.pass(minutes(30));
  expect(said(guarded, 'unjudged')).toEqual([
    { kind: 'unjudged', nodes: 5, leases: 0, untold: [{ because: 'noRenewTime', nodes: 5 }] },
  ]);
  expect(guarded.world.asked.machines).toBeLessThan(6);
  guarded.world.unreadable = false;
  await guarded.pass(minutes(12));
  expect(said(guarded, 'unjudgedOver')).toHaveLength(1);
  expect(guarded.world.writes).toEqual([]);
});

const vanish = ({ world }: GuardedWorld, count: number) => {
  for (const node of world.nodes.slice(-count)) node.leased = false;
};
const comeBack = ({ world }: GuardedWorld) => {
  for (const node of world.nodes) node.leased = true;
};

describe('5.9 leases vanish, and their nodes stay', () => {
  test.each([20, 18])('5.9 %i of 20, in an outage: nothing goes up before they are back', async (count) => {
    const guarded = await cutOff(await shoot(20));
    // Two kubelets that are not cut off are no sign for the others.
    const [first, second] = guarded.world.nodes;
    for (const node of [first, second]) node!.cutOffAt = undefined;
    vanish(guarded, count);
    await guarded.pass(minutes(10));
    expect(replicas(guarded)).toEqual([0, 0, 0]);
    expect(said(guarded, 'unjudged')).toHaveLength(1);
    guarded.world.heal();
    comeBack(guarded);
    await guarded.pass(minutes(2));
    expect(replicas(guarded)).toEqual([2, 2, 2]);
  });

  test.each([20, 18, 10])('5.9 %i of 20, in calm: it is told at once, and nothing is scaled', async (count) => {
    const guarded = await shoot(20);
    // The first look in calm.
    await guarded.pass(minutes(11));
    vanish(guarded, count);
    await guarded.pass(minutes(5));
    expect(said(guarded, 'unjudged')).toMatchObject([
      { nodes: 20, leases: 20 - count, untold: [{ because: 'noLease', nodes: count }] },
    ]);
    expect(guarded.world.writes).toEqual([]);
  });

  test('5.9 whoever takes over in an outage looks at the nodes before anything goes up', () => {
    const driver = newShoot();
    for (const one of [mcm])
      driver.sees(one, present({ replicas: 0, marked: true, record: '2', resourceVersion: '20' }));
    driver.wakeProbe();
    expect(driver.leases([])).toEqual(['listCandidates']);
    expect(driver.candidates()).toEqual(['say unjudged']);
    expect(driver.state).toBe('probing');
  });

  test('5.9 a look that fails leaves it unknown: the next probe looks again', () => {
    const driver = probedShoot();
    driver.wholeProbe('cutOff');
    takeDown(driver);
    for (let probe = 0; probe < 3; probe++) {
      driver.wakeProbe();
      expect(driver.leases([])).toEqual(['listCandidates']);
      driver.candidatesFail();
    }
    expect(driver.state).toBe('scaledDown');
  });

  test('5.3 5.9 where the nodes are gone as well, there is none to be cut off', async () => {
    const guarded = await cutOff(await shoot());
    guarded.world.nodes.length = 0;
    await guarded.pass(minutes(3));
    expect(replicas(guarded)).toEqual([2, 2, 2]);
  });

  test('5.9 nodes that join, and nodes that go with their leases, are nothing to tell', async () => {
    const guarded = await shoot(5);
    await guarded.pass(minutes(11));
    for (let index = 0; index < 15; index++) {
      guarded.world.addNode(`new-${index}`);
      guarded.world.nodes.at(-1)!.leased = false;
    }
    // So many that it is looked at just then.
    for (const node of guarded.world.nodes.slice(0, 3)) node.leased = false;
    const before = guarded.world.asked.machines;
    await guarded.pass(40_000);
    expect(guarded.world.asked.machines).toBeGreaterThan(before);
    comeBack(guarded);
    await guarded.pass(minutes(70));
    guarded.world.nodes.length = 4;
    const { machines } = guarded.world.asked;
    await guarded.pass(minutes(5));
    expect(said(guarded, 'unjudged')).toEqual([]);
    expect(guarded.world.asked.machines - machines).toBe(1);
  });
});

describe('5.8 looks in calm', () => {
  test('5.8 the first comes within ten minutes, and then one an hour; none of them is urgent', async () => {
    const guarded = await shoot();
    await guarded.pass(minutes(9));
    expect(guarded.world.asked.machines).toBe(1);
    await guarded.pass(minutes(300));
    expect(guarded.world.asked.machines).toBe(6);
    const looks = guarded.turns.flatMap(({ commands }) => commands.filter(({ type }) => type === 'listCandidates'));
    expect(looks.map(({ params }) => params)).toEqual(
      looks.map(() => expect.objectContaining({ urgent: false, cluster: false })),
    );
  });

  test('5.8 a thousand shoots do not ask in one instant', () => {
    const tenths = new Map<number, number>();
    for (let index = 0; index < 1_000; index++) {
      const driver = newShoot(undefined, { chance: index * 4_294_967 });
      driver.wholeProbe('connected');
      const tenth = Math.floor((driver.context.seen!.calmLookAt - driver.now) / minutes(1));
      tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
    }
    expect([...tenths.keys()].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.max(...tenths.values())).toBeLessThan(150);
  });

  test('5.4 5.8 one that fails leaves the next probe alone, and takes no time that an outage needs', () => {
    const driver = probedShoot();
    driver.now += minutes(10);
    driver.wakeProbe();
    expect(driver.leases([1_000, 1_000])).toEqual(['listCandidates']);
    const { askedAt, deadlineAt } = driver.context.probe.asked!;
    // The crossing is 29 s away, and a look for it comes 9 s before.
    expect(deadlineAt - askedAt).toBe(20_000);
    driver.candidatesFail({ stage: 'machines' });
    driver.wakeProbe();
    expect(driver.leases([1_000, 1_000])).toEqual(['say connected']);
    driver.now += minutes(10);
    driver.wakeProbe();
    expect(driver.leases([1_000, 1_000])).toEqual(['listCandidates']);
  });

  test('5.4 5.8 none where leases are late, where something is down, and while the stream of Clusters is out', () => {
    const late = probedShoot();
    late.now += minutes(10);
    late.wakeProbe();
    expect(late.leases([17_000, 17_000])).not.toContain('listCandidates');
    const down = probedShoot();
    down.wholeProbe('cutOff');
    takeDown(down);
    down.now += minutes(10);
    down.wakeProbe();
    expect(down.leases([1_000, 1_000])).not.toContain('listCandidates');
    const blind = probedShoot();
    blind.clustersWatched(false);
    blind.now += minutes(10);
    blind.wakeProbe();
    expect(blind.leases([1_000, 1_000])).not.toContain('listCandidates');
  });
});

const ups = ({ world }: GuardedWorld) => world.writes.filter(({ change }) => (change.replicas ?? 0) > 0).length;

/** How long after the nodes were cut off the shoot is said to be; undefined where it was not within five minutes. */
async function decidedAfter(guarded: GuardedWorld): Promise<number | undefined> {
  const [cutAt, before] = [guarded.clock.now(), guarded.turns.length];
  guarded.world.cutOff();
  await guarded.pass(minutes(5));
  const first = guarded.turns
    .slice(before)
    .find(({ notes }) => notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff'));
  return first && first.at - cutAt;
}

test.each([
  [4, 1],
  [5, 2],
  [6, 1],
  [10, 2],
  [20, 2],
])('5.9 L2 of %i nodes, %i have no lease: an outage is decided in time', async (nodes, without) => {
  const late: number[] = [];
  for (let run = 0; run < 10; run++) {
    const guarded = new GuardedWorld(gardenerConfig, nodes, { startAt: 1_000_000 + run * 3_771 });
    await guarded.pass(minutes(11) + run * 1_777);
    for (const node of guarded.world.nodes.slice(0, without)) node.leased = false;
    await guarded.pass(minutes(5));
    const after = (await decidedAfter(guarded)) ?? Infinity;
    if (after > 35_000) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test('5.8 5.1 no node counts, all clocks of the shoot are ahead: who takes over in an outage raises nothing', async () => {
  const raised: number[] = [];
  for (let run = 0; run < 8; run++) {
    const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: 1_000_000 + run * 3_771 });
    const { world } = guarded;
    world.shootAhead = minutes(1);
    await guarded.pass(minutes(3));
    world.cutOff();
    await guarded.pass(70_000 + run * 1_000);
    expect(guarded.state).toBe('scaledDown');
    for (const node of world.nodes) node.view = { ...node.view, unmanaged: true };
    guarded.restart(true);
    await guarded.pass(minutes(5));
    if (ups(guarded) > 0) raised.push(run);
    guarded.stop();
  }
  expect(raised).toEqual([]);
});

test('5.8 5.1 no node counts, kubelets are ahead by a minute: who takes over 45 s after the cut raises nothing', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  const { world } = guarded;
  for (const node of world.nodes) node.clockBehind = -60_000;
  await guarded.pass(minutes(5));
  world.cutOff();
  await guarded.pass(45_000);
  expect(guarded.state).toBe('scaledDown');
  for (const node of world.nodes) node.view = { ...node.view, unmanaged: true };
  guarded.restart(true);
  await guarded.pass(minutes(10));
  expect(ups(guarded)).toBe(0);
  guarded.stop();
});

test('5.8 4.5 a look in calm that the seed puts off for a minute does not put off what an outage needs', async () => {
  const late: number[] = [];
  for (let run = 0; run < 5; run++) {
    const putOff: number[] = [];
    const guarded: GuardedWorld = new GuardedWorld(gardenerConfig, 5, {
      startAt: 1_000_000 + run * 3_771,
      instead: (world) => ({
        machines: {
          listMachines: (namespace, deadlineAt, signal) => {
            if (putOff.length > 0) return world.listMachines(namespace, deadlineAt, signal);
            putOff.push(guarded.clock.now());
            return Promise.resolve({
              ok: false,
              failure: { stage: 'machines', reason: 'throttled', detail: 'later', retryAfter: minutes(1) },
            });
          },
        },
      }),
    });
    while (putOff.length === 0) await guarded.pass(500);
    const after = (await decidedAfter(guarded)) ?? Infinity;
    if (after > 35_000) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});
