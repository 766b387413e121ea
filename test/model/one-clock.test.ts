import { expect, test } from 'vitest';
import { clockSettings } from '../../src/adapters/clock/wall-clock.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import type { ShootApi } from '../../src/effects/ports.ts';
import type { SimWorld } from '@dwd/testing/sim-world.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Shoots that differ by when they begin, with their kubelets ahead by so much and each API server by so much of its own. */
async function* shoots(
  count: number,
  { nodes = 5, ahead = 0, servers = [0] as GuardedWorld['world']['servers'], calm = 10 * minute } = {},
): AsyncGenerator<GuardedWorld> {
  for (let run = 0; run < count; run++) {
    const guarded = new GuardedWorld(gardenerConfig, nodes, { startAt: 1_000_000 + run * 3_771 });
    guarded.stop();
    guarded.world.servers = servers;
    for (const node of guarded.world.nodes) node.clockBehind = -ahead;
    await guarded.pass(minute + run * 1_313);
    guarded.start(false);
    await guarded.pass(calm + run * 1_777);
    yield guarded;
    guarded.stop();
  }
}

const downs = ({ world }: GuardedWorld) => world.writes.filter(({ change }) => change.replicas === 0).length;
const ups = ({ world }: GuardedWorld) => world.writes.filter(({ change }) => (change.replicas ?? 0) > 0).length;

/** How long after the nodes were cut off the shoot is said to be; undefined where it was not within two minutes. */
async function decidedAfter(guarded: GuardedWorld): Promise<number | undefined> {
  const [cutAt, before] = [guarded.clock.now(), guarded.turns.length];
  guarded.world.cutOff();
  await guarded.pass(2 * minute);
  const said = guarded.turns
    .slice(before)
    .find(({ notes }) => notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff'));
  return said && said.at - cutAt;
}

/** With right clocks, it is never later than this. */
const inTime = 34_000;
const later = 6_000;

test.each([10_000, 20_000, 30_000, 60_000, -60_000])(
  '5.1 one of three API servers has a clock that is ahead by %i ms: an outage is decided in time, and nothing is raised in it',
  async (wrong) => {
    const late: number[] = [];
    let raised = 0;
    for await (const guarded of shoots(8, { servers: [0, 0, wrong] })) {
      const after = (await decidedAfter(guarded)) ?? Infinity;
      if (after > inTime + later) late.push(after);
      await guarded.pass(28 * minute);
      raised += ups(guarded);
    }
    expect({ late, raised }).toEqual({ late: [], raised: 0 });
  },
);

test.each([25_000, 28_000, -28_000])(
  '5.1 one of three API servers has a clock that is ahead by %i ms: a healthy shoot is not scaled down',
  async (wrong) => {
    let down = 0;
    for await (const guarded of shoots(3, { nodes: 3, servers: [0, 0, wrong], calm: 6 * hour })) down += downs(guarded);
    expect(down).toBe(0);
  },
);

const away = (['leasesHang', 'leasesFail', 'turningAway'] as const).flatMap((how) =>
  [32, 35, 38, 45, 50, 60].map((length): [typeof how, number] => [how, length * 1_000]),
);

test.each([20_000, 33_000, 60_000])(
  '5.1 all clocks of a shoot are ahead, and one of its API servers by %i ms more: who begins does not scale it down',
  async (wrong) => {
    let down = 0;
    const all = 104_000;
    for await (const guarded of shoots(30, { ahead: all, servers: [all, all, all + wrong], calm: 2 * minute }))
      down += downs(guarded);
    expect(down).toBe(0);
  },
);

test.each(away)('5.1 %s for %i ms, and kubelets renew 3 s later: nothing is scaled', async (how, length) => {
  let down = 0;
  for await (const guarded of shoots(20)) {
    const { world } = guarded;
    world.api = how;
    world.cutOff();
    await guarded.pass(length);
    world.api = 'up';
    await guarded.pass(3_000);
    world.heal();
    await guarded.pass(minute);
    down += downs(guarded) > 0 ? 1 : 0;
  }
  expect(down).toBe(0);
});

test('5.1 an etcd is away for 95 s, and 429 is answered in the last 25 of them: nothing is scaled', async () => {
  let down = 0;
  for await (const guarded of shoots(30, { nodes: 3 })) {
    const { world } = guarded;
    world.api = 'leasesFail';
    world.cutOff();
    await guarded.pass(70_000);
    world.api = 'throttled';
    await guarded.pass(25_000);
    world.api = 'up';
    for (const node of world.nodes) {
      await guarded.pass(3_000);
      Object.assign(node, { cutOffAt: undefined, healedAt: guarded.clock.now() });
    }
    await guarded.pass(minute);
    down += downs(guarded);
  }
  expect(down).toBe(0);
});

test.each([13_000, 15_000, 20_000, 25_000, -20_000, 60_000, -90_000, 90_000])(
  '5.1 kubelets that are ahead by %i ms: an outage is decided in time',
  async (ahead) => {
    const late: number[] = [];
    for await (const guarded of shoots(30, { ahead })) {
      const after = (await decidedAfter(guarded)) ?? Infinity;
      if (after > inTime + later) late.push(after);
    }
    expect(late).toEqual([]);
  },
);

test.each([
  [3_500, -20_000],
  [3_500, 60_000],
  [-3_700, -20_000],
])(
  '5.1 a clock that differs by %i ms is said once, and what is known of kubelets that are ahead by %i ms is kept',
  async (shootAhead, ahead) => {
    const late: number[] = [];
    let said = 0;
    for await (const guarded of shoots(10, { ahead: ahead + shootAhead, servers: [shootAhead], calm: hour })) {
      said += guarded.turns.filter(({ notes }) => notes.some(({ kind }) => kind === 'clockDiffers')).length;
      const after = (await decidedAfter(guarded)) ?? Infinity;
      if (after > inTime + later) late.push(after);
    }
    expect({ late, said }).toEqual({ late: [], said: 10 });
  },
);

test.each(['unauthorized', 'throttled', 'garbled'] as const)(
  '5.1 an answer that is %s ends a silence: what is old ten minutes later is judged at once',
  async (how) => {
    const late: number[] = [];
    for await (const guarded of shoots(5)) {
      const { world } = guarded;
      world.api = 'leasesFail';
      await guarded.pass(45_000);
      world.api = how;
      await guarded.pass(10 * minute);
      world.cutOff();
      await guarded.pass(33_000);
      world.api = 'up';
      const back = guarded.clock.now();
      await guarded.pass(2 * minute);
      const [first] = guarded.turns.filter(
        ({ at, notes }) => at > back && notes.some(({ kind }) => kind === 'verdict'),
      );
      if (guarded.turns.some(({ at, notes }) => at > back && notes.some(({ kind }) => kind === 'leasesInDoubt')))
        late.push(first?.at ?? Infinity);
    }
    expect(late).toEqual([]);
  },
);

test.each([
  ['down', 60_000],
  ['leasesFail', 40_000],
  ['leasesHang', 90_000],
] as const)(
  '5.1 %s for three minutes, and kubelets that were ahead by %i ms are put right meanwhile: nothing is scaled',
  async (how, ahead) => {
    let down = 0;
    for await (const guarded of shoots(3, { ahead })) {
      const { world } = guarded;
      world.api = how;
      await guarded.pass(20_000);
      for (const node of world.nodes) node.clockBehind = 0;
      await guarded.pass(160_000);
      world.api = 'up';
      await guarded.pass(minute);
      down += downs(guarded);
    }
    expect(down).toBe(0);
  },
);

test('5.1 many leases that look old do not leave the count: two that are dead decide for no twenty', async () => {
  const guarded = new GuardedWorld(gardenerConfig, 20);
  guarded.stop();
  for (const node of guarded.world.nodes.slice(2)) node.clockBehind = minute;
  await guarded.pass(minute);
  guarded.start(false);
  guarded.world.cutOff(2);
  await guarded.pass(2 * minute);
  expect(downs(guarded)).toBe(0);
  guarded.stop();
});

test.each([4_000, 5_000, 6_000])(
  '5.1 an API server that flaps and is there for %i ms in between: nothing is scaled',
  async (there) => {
    let down = 0;
    for await (const guarded of shoots(40)) {
      const { world, clock } = guarded;
      for (const [awayFor, upFor] of [
        [33_000, there],
        [12_000, 10_000],
      ] as const) {
        world.api = 'leasesFail';
        world.cutOff();
        await guarded.pass(awayFor);
        world.api = 'up';
        // Those whose turn it is renew.
        for (let passed = 0; passed < upFor; passed += 500) {
          for (const node of world.nodes)
            if ((clock.now() - node.phase) % 10_000 < 500) Object.assign(node, { cutOffAt: undefined, healedAt: 0 });
          await guarded.pass(500);
        }
      }
      await guarded.pass(minute);
      down += downs(guarded) > 0 ? 1 : 0;
    }
    expect(down).toBe(0);
  },
);

test.each([35_000, 41_000, 180_000, hour])(
  '5.1 a shoot is restored from a backup that is %i ms old: nothing is scaled',
  async (age) => {
    let down = 0;
    for await (const guarded of shoots(40)) {
      const { world, clock } = guarded;
      for (const node of world.nodes) node.cutOffAt = clock.now() - age;
      // Each renews at its next turn.
      for (let second = 0; second < 10; second++) {
        await guarded.pass(1_000);
        for (const node of world.nodes)
          if ((clock.now() - node.phase) % 10_000 < 1_000)
            Object.assign(node, { cutOffAt: undefined, healedAt: -Infinity });
      }
      await guarded.pass(minute);
      down += downs(guarded) > 0 ? 1 : 0;
    }
    expect(down).toBe(0);
  },
);

/** Its answers are stamped by our clock. */
function seenBy(world: SimWorld, clock: ShiftedClock): ShootApi {
  return {
    askPath: (shoot, path, deadlineAt, signal) => world.askPath(shoot, path, deadlineAt, signal),
    listNodes: (...asked) => world.listNodes(...asked),
    async listLeases(shoot, deadlineAt, signal) {
      const sentAt = clock.now();
      const answer = await world.listLeases(shoot, deadlineAt, signal);
      if (!answer.ok || answer.value.served === undefined) return answer;
      return {
        ok: true,
        value: { ...answer.value, served: { ...answer.value.served, sentAt, receivedAt: clock.now() } },
      };
    },
  };
}

test.each([-4_000, 15_000, 60_000, 3_600_000])(
  '5.1 our own clock is set forward by %i ms: a healthy shoot stays up, and in an outage nothing is raised',
  async (by) => {
    let [down, up] = [0, 0];
    for (let run = 0; run < 12; run++) {
      const guarded = new GuardedWorld(gardenerConfig, 5, {
        instead: (world, below) => {
          const clock = new ShiftedClock(below);
          below.wakeAt(below.now() + 3 * minute + run * 2_777).subscribe(() => (clock.ahead = by));
          return { clock, timesSet: clockSettings(clock, below), shoots: seenBy(world, clock) };
        },
      });
      await guarded.pass(6 * minute);
      down += downs(guarded);
      guarded.world.cutOff();
      await guarded.pass(2 * minute);
      expect(guarded.state).toBe('scaledDown');
      up += ups(guarded);
      guarded.stop();
    }
    expect({ down, up }).toEqual({ down: 0, up: 0 });
  },
);

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

test.each([0, 20_000, 60_000, -60_000])(
  '5.1 S1 kubelets are ahead by %i ms: who takes over 55 to 85 s after the cut raises nothing',
  async (ahead) => {
    let [raised, after] = [0, 55_000];
    for await (const guarded of shoots(16, { ahead })) {
      guarded.world.cutOff();
      await guarded.pass((after += 2_000));
      expect(guarded.state).toBe('scaledDown');
      guarded.restart(true);
      await guarded.pass(5 * minute);
      raised += ups(guarded);
    }
    expect(raised).toBe(0);
  },
);

test('5.1 L2 who takes over within 30 s of the cut decides in time, and in calm writes nothing', async () => {
  const late: number[] = [];
  let takenOver = 0;
  for await (const guarded of shoots(14)) {
    guarded.restart(true);
    await guarded.pass(minute);
    expect(guarded.world.writes).toEqual([]);
    const cutAt = guarded.clock.now();
    guarded.world.cutOff();
    await guarded.pass((takenOver += 2_000));
    guarded.restart(true);
    await guarded.pass(minute);
    const first = guarded.world.writes[0]?.at ?? Infinity;
    if (first - cutAt > inTime) late.push(first - cutAt);
  }
  expect(late).toEqual([]);
});

/** Its lists of leases come so much later than its version. */
function slowLists(world: SimWorld, clock: VirtualClock, by: number, isSlow = () => true): ShootApi {
  return {
    askPath: (shoot, path, deadlineAt) => world.askPath(shoot, path, deadlineAt),
    listNodes: (...asked) => world.listNodes(...asked),
    async listLeases(shoot, deadlineAt, signal) {
      const answer = await world.listLeases(shoot, deadlineAt, signal);
      if (isSlow()) await new Promise<void>((done) => void clock.wakeAt(clock.now() + by).subscribe(() => done()));
      return answer;
    },
  };
}

test('5.1 L2 a server whose every other list comes 3.2 s after its version: an outage is decided in time', async () => {
  const late: number[] = [];
  for (let run = 0; run < 20; run++) {
    let lists = 0;
    const guarded = new GuardedWorld(gardenerConfig, 5, {
      startAt: 1_000_000 + run * 3_771,
      instead: (world, clock) => ({ shoots: slowLists(world, clock, 3_200, () => lists++ % 2 === 0) }),
    });
    await guarded.pass(4 * minute + run * 1_777);
    const after = (await decidedAfter(guarded)) ?? Infinity;
    if (after > inTime + later) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test.each([3_100, 4_000])(
  '5.1 L2 a server whose lists always come %i ms after its version: an outage is decided',
  async (by) => {
    const late: number[] = [];
    for (let run = 0; run < 5; run++) {
      const guarded = new GuardedWorld(gardenerConfig, 5, {
        startAt: 1_000_000 + run * 3_771,
        instead: (world, clock) => ({ shoots: slowLists(world, clock, by) }),
      });
      await guarded.pass(11 * minute);
      const after = (await decidedAfter(guarded)) ?? Infinity;
      if (after > inTime + by + 15_000) late.push(after);
      guarded.stop();
    }
    expect(late).toEqual([]);
  },
);

test.each([20_000, 22_000, 24_000])(
  '5.1 an API server restarts within %i ms between two probes, and kubelets renew within 7 s: nothing is scaled',
  async (length) => {
    let down = 0;
    for await (const guarded of shoots(100, { nodes: 3, calm: 3 * minute })) {
      const { world } = guarded;
      world.api = 'turningAway';
      world.cutOff();
      await guarded.pass(length);
      world.restart();
      // One after the other.
      for (const node of world.nodes) {
        await guarded.pass(2_300);
        Object.assign(node, { cutOffAt: undefined, healedAt: guarded.clock.now() });
      }
      await guarded.pass(minute);
      down += downs(guarded) > 0 ? 1 : 0;
    }
    expect(down).toBe(0);
  },
);

test.each([7_000, 9_000, 11_000])(
  '5.1 an API server is away for 33 s, there for 3 s, and away again for %i ms: nothing is scaled',
  async (again) => {
    let down = 0;
    for await (const guarded of shoots(40, { calm: 3 * minute })) {
      const { world } = guarded;
      for (const length of [33_000, again]) {
        world.api = 'turningAway';
        world.cutOff();
        await guarded.pass(length);
        world.restart();
        await guarded.pass(3_000);
        // Two of five come back in that time, and the others after the second return.
        for (const node of world.nodes.slice(0, length === again ? 5 : 2))
          Object.assign(node, { cutOffAt: undefined, healedAt: guarded.clock.now() });
      }
      await guarded.pass(minute);
      down += downs(guarded) > 0 ? 1 : 0;
    }
    expect(down).toBe(0);
  },
);

test('5.1 a server that is new within an outage, and was not away, delays the verdict by 12 s at most', async () => {
  const late: number[] = [];
  for await (const guarded of shoots(30, { calm: 3 * minute })) {
    const cutAt = guarded.clock.now();
    guarded.world.cutOff();
    await guarded.pass(15_000);
    guarded.world.restart();
    await guarded.pass(2 * minute);
    const first = guarded.world.writes[0]?.at ?? Infinity;
    if (first - cutAt > inTime + 12_000) late.push(first - cutAt);
  }
  expect(late).toEqual([]);
});

test.each([40_000, 60_000, 200_000])(
  '5.1 an API server is away, serves kubelets between two probes, and is away again for %i ms: nothing is scaled',
  async (length) => {
    let down = 0;
    for await (const guarded of shoots(20, { calm: 3 * minute })) {
      const { world } = guarded;
      for (const away of [45_000, length]) {
        world.api = 'turningAway';
        world.cutOff();
        await guarded.pass(away);
        world.restart();
        if (away === length) await guarded.pass(3_000);
        world.heal();
        await guarded.pass(7_000);
      }
      await guarded.pass(minute);
      down += downs(guarded) > 0 ? 1 : 0;
    }
    expect(down).toBe(0);
  },
);
