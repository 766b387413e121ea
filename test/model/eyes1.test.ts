import { expect, test } from 'vitest';
import type { ShootApi } from '../../src/effects/ports.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { GuardedWorld } from '../support/guarded-world.ts';
import { gardenerConfig } from '../support/prober-configs.ts';
import type { SimWorld } from '../support/sim-world.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';

const minute = 60_000;

const downs = ({ world }: GuardedWorld) => world.writes.filter(({ change }) => change.replicas === 0).length;
const ups = ({ world }: GuardedWorld) => world.writes.filter(({ change }) => (change.replicas ?? 0) > 0).length;
const said = ({ turns }: GuardedWorld, kind: string) =>
  turns.flatMap(({ notes, at }) => notes.filter((note) => note.kind === kind).map((note) => ({ at, ...note })));

/** How long after the first node's last renewal the shoot is said to be cut off. */
async function decidedAfter(guarded: GuardedWorld, within = 5 * minute): Promise<number | undefined> {
  const [cutAt, before] = [guarded.clock.now(), guarded.turns.length];
  guarded.world.cutOff();
  await guarded.pass(within);
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
    await guarded.pass(11 * minute + run * 1_777);
    for (const node of guarded.world.nodes.slice(0, without)) node.leased = false;
    await guarded.pass(5 * minute);
    const after = (await decidedAfter(guarded)) ?? Infinity;
    if (after > 35_000) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test('5.1 S1 three of five nodes do not count, all clocks of the shoot are ahead: who takes over in an outage raises nothing', async () => {
  const raised: number[] = [];
  for (let run = 0; run < 8; run++) {
    const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: 1_000_000 + run * 3_771 });
    const { world } = guarded;
    world.shootAhead = minute;
    for (const node of world.nodes.slice(2)) node.view = { ...node.view, unmanaged: true };
    await guarded.pass(3 * minute);
    world.cutOff();
    await guarded.pass(70_000 + run * 1_000);
    expect(guarded.state).toBe('scaledDown');
    guarded.restart(true);
    await guarded.pass(5 * minute);
    if (ups(guarded) > 0) raised.push(run);
    guarded.stop();
  }
  expect(raised).toEqual([]);
});

test('5.1 5.8 no node counts, all clocks of the shoot are ahead: who takes over in an outage raises nothing', async () => {
  const raised: number[] = [];
  for (let run = 0; run < 8; run++) {
    const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: 1_000_000 + run * 3_771 });
    const { world } = guarded;
    world.shootAhead = minute;
    await guarded.pass(3 * minute);
    world.cutOff();
    await guarded.pass(70_000 + run * 1_000);
    expect(guarded.state).toBe('scaledDown');
    for (const node of world.nodes) node.view = { ...node.view, unmanaged: true };
    guarded.restart(true);
    await guarded.pass(5 * minute);
    if (ups(guarded) > 0) raised.push(run);
    guarded.stop();
  }
  expect(raised).toEqual([]);
});

test('5.1 5.8 no node counts, kubelets are ahead by a minute: who takes over 45 s after the cut raises nothing', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  const { world } = guarded;
  for (const node of world.nodes) node.clockBehind = -minute;
  await guarded.pass(5 * minute);
  world.cutOff();
  await guarded.pass(45_000);
  expect(guarded.state).toBe('scaledDown');
  for (const node of world.nodes) node.view = { ...node.view, unmanaged: true };
  guarded.restart(true);
  await guarded.pass(10 * minute);
  expect(ups(guarded)).toBe(0);
  guarded.stop();
});

test.each([55_000, 85_000])('5.1 kubelets are ahead by a minute: who takes over %i ms after the cut raises nothing', async (after) => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  const { world } = guarded;
  for (const node of world.nodes) node.clockBehind = -minute;
  await guarded.pass(5 * minute);
  world.cutOff();
  await guarded.pass(after);
  guarded.restart(true);
  await guarded.pass(10 * minute);
  expect(ups(guarded)).toBe(0);
  guarded.stop();
});

/** Its lists of leases come so much later than its version. */
function slowLists(world: SimWorld, clock: VirtualClock, by: () => number): ShootApi {
  return {
    askPath: (shoot, path, deadlineAt, signal) => world.askPath(shoot, path, deadlineAt, signal),
    listNodes: (...asked) => world.listNodes(...asked),
    async listLeases(...asked) {
      const answer = await world.listLeases(...asked);
      const length = by();
      if (length > 0)
        await new Promise<void>((done) => void clock.wakeAt(clock.now() + length).subscribe(() => done()));
      return answer;
    },
  };
}

test.each([3_100, 4_000])(
  '5.1 L2 a server whose lists always come %i ms after its version: an outage is decided',
  async (by) => {
    const late: number[] = [];
    for (let run = 0; run < 5; run++) {
      const guarded = new GuardedWorld(gardenerConfig, 5, {
        startAt: 1_000_000 + run * 3_771,
        instead: (world, clock) => ({ shoots: slowLists(world, clock, () => by) }),
      });
      await guarded.pass(11 * minute);
      const after = (await decidedAfter(guarded, 60 * minute)) ?? Infinity;
      if (after > 35_000 + by + 15_000) late.push(after);
      guarded.stop();
    }
    expect(late).toEqual([]);
  },
);

test('5.5 a Ready node that does not count, and does not renew, is said once', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  const { world } = guarded;
  for (const node of world.nodes) node.view = { ...node.view, trueConditions: ['Ready'] };
  world.nodes[0]!.view = { ...world.nodes[0]!.view, unmanaged: true };
  await guarded.pass(3 * minute);
  world.cutOff(1);
  await guarded.pass(180 * minute);
  expect([said(guarded, 'leasesNotRenewed').length, said(guarded, 'leasesNotRenewedOver').length]).toEqual([1, 0]);
});

test('5.8 4.5 a look in calm that the seed puts off for a minute does not put off what an outage needs', async () => {
  const late: number[] = [];
  for (let run = 0; run < 5; run++) {
    let putOff = 0;
    const guarded: GuardedWorld = new GuardedWorld(gardenerConfig, 5, {
      startAt: 1_000_000 + run * 3_771,
      instead: (world) => ({
        machines: {
          listMachines: (...asked) => {
            if (putOff > 0) return world.listMachines(...asked);
            putOff = guarded.clock.now();
            return Promise.resolve({
              ok: false,
              failure: { stage: 'machines', reason: 'throttled', detail: 'later', retryAfter: minute },
            });
          },
        },
      }),
    });
    while (putOff === 0) await guarded.pass(500);
    const after = (await decidedAfter(guarded)) ?? Infinity;
    if (after > 35_000) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test.each([
  [2, 22_000],
  [2, 24_000],
  [3, 24_000],
  [5, 24_000],
])('5.1 all of %i nodes set their clocks back by %i ms: a healthy shoot stays up', async (nodes, by) => {
  let down = 0;
  for (let run = 0; run < 20; run++) {
    const guarded = new GuardedWorld(gardenerConfig, nodes, { startAt: 1_000_000 + run * 3_771 });
    const { world, clock } = guarded;
    await guarded.pass(5 * minute + run * 1_777);
    // Each writes by its new clock from its next renewal on.
    for (let passed = 0; passed < 10_000; passed += 500) {
      for (const node of world.nodes) if ((clock.now() - node.phase) % 10_000 < 500) node.clockBehind = by;
      await guarded.pass(500);
    }
    await guarded.pass(3 * minute);
    if (downs(guarded) > 0) down += 1;
    guarded.stop();
  }
  expect(down).toBe(0);
});

test('L3 a machine that is restored from JSON before each turn goes on the same', async () => {
  const differ: unknown[] = [];
  const strange: string[] = [];
  const guarded = new GuardedWorld(gardenerConfig, 5, {
    onTurn: ({ before, event, commands, notes, after }) => {
      if (before === undefined || event.type === 'started' || event.type === 'ended') return;
      const look = (value: unknown, path: string): void => {
        if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) strange.push(path);
        if (typeof value === 'object' && value !== null)
          for (const [key, one] of Object.entries(value)) look(one, `${path}.${key}`);
      };
      look(after, event.type);
      const restored = pureMachines.shoot.restore(JSON.parse(JSON.stringify(before)));
      const outcome = pureMachines.shoot.take(restored, event);
      const same = (value: unknown) => JSON.stringify(value);
      if (same(outcome.commands) !== same(commands) || same(outcome.notes) !== same(notes))
        differ.push({ event, commands, notes, got: outcome });
    },
  });
  const { world } = guarded;
  const steps: readonly (() => void)[] = [
    () => undefined,
    () => (world.api = 'leasesHang'),
    () => world.cutOff(),
    () => (world.api = 'up'),
    () => (world.servers = [0, 20_000, -30_000]),
    () => world.heal(),
    () => world.nodes.slice(0, 3).forEach((node) => (node.leased = false)),
    () => world.nodes.forEach((node) => (node.clockBehind = 25_000)),
    () => world.cutOff(),
    () => (world.unreadable = true),
    () => world.breakClusters(),
    () => (world.unreadable = false),
    () => world.nodes.forEach((node) => (node.view = { ...node.view, unmanaged: true })),
    () => world.heal(),
    () => world.mendClusters(),
    () => world.nodes.forEach((node) => (node.heldUp = { from: guarded.clock.now(), by: 15_000 })),
    () => world.nodes.splice(1),
    () => world.nodes.splice(0),
  ];
  for (const step of steps) {
    step();
    await guarded.pass(97_000);
  }
  guarded.stop();
  expect({ differ: differ.slice(0, 2), strange: [...new Set(strange)] }).toEqual({ differ: [], strange: [] });
});
