import { expect, test } from 'vitest';
import { createMetrics } from '../../src/adapters/record/metrics/metrics.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import type { SimWorld } from '@dwd/testing/sim-world.ts';
import type { Guarding } from '../../src/effects/guard-shoots.ts';
import type { NodeLease } from '../../src/domain/prober/node-lease.ts';
import type { ShootApi } from '../../src/effects/ports.ts';
import type { ShootNote } from '../../src/machines/shoot-language.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';

// Outages in which servers come and go, restart, are late or cannot be read.

const minute = 60_000;

type Instead = (world: SimWorld, clock: VirtualClock) => Partial<Guarding>;

async function shoot(run: number, nodes = 5, instead: Instead = () => ({})): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(gardenerConfig, nodes, { startAt: 1_000_000 + run * 3_771, instead });
  await guarded.pass(6 * minute + run * 1_777);
  return guarded;
}

/** The shoot's own answers, with its lists of leases through `list`. */
function listing(
  list: (
    world: SimWorld,
    ask: () => ReturnType<ShootApi['listLeases']>,
    clock: VirtualClock,
  ) => ReturnType<ShootApi['listLeases']>,
): Instead {
  return (world, clock) => ({
    shoots: {
      askPath: (name, path, deadlineAt, signal) => world.askPath(name, path, deadlineAt, signal),
      listNodes: (...asked) => world.listNodes(...asked),
      listLeases: (name, deadlineAt, signal) => list(world, () => world.listLeases(name, deadlineAt, signal), clock),
    },
  });
}

const isOut = (world: SimWorld): boolean => world.nodes[0]?.cutOffAt !== undefined;

/** So this one question is answered otherwise. */
function once<Answer>(world: SimWorld, api: SimWorld['api'], ask: () => Answer): Answer {
  world.api = api;
  const answer = ask();
  world.api = 'up';
  return answer;
}

const sleep = (clock: VirtualClock, by: number) =>
  new Promise<void>((done) => void clock.wakeAt(clock.now() + by).subscribe(() => done()));

function said<Kind extends ShootNote['kind']>({ turns }: GuardedWorld, kind: Kind, since: number) {
  return turns.flatMap(({ at, notes }) =>
    at < since
      ? []
      : notes.flatMap((note) => (note.kind === kind ? [{ at, note: note as Extract<ShootNote, { kind: Kind }> }] : [])),
  );
}

function decidedAfter(guarded: GuardedWorld, cutAt: number): number {
  const first = said(guarded, 'verdict', cutAt).find(({ note }) => note.verdict === 'cutOff');
  return (first?.at ?? Infinity) - cutAt;
}

async function margins({ turns }: GuardedWorld): Promise<readonly string[]> {
  const metrics = createMetrics('prober');
  for (const turn of turns) metrics.observe(turn);
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('dwd_shoot_margin_seconds{'));
}

const happenings: Readonly<Record<string, () => Instead>> = {
  'a server is new within it': () => {
    let at = -1;
    return listing(async (world, ask, clock) => {
      const isNew = isOut(world) && at < 0;
      if (isNew) at = clock.now();
      const answer = await ask();
      return answer.ok && isNew ? { ok: true, value: { ...answer.value, serverIsNew: true } } : answer;
    });
  },
  'one question is refused, and the next is answered a second later': () => {
    let isOver = false;
    return listing((world, ask) => {
      if (isOver || !isOut(world)) return ask();
      isOver = true;
      return once(world, 'leasesFail', ask);
    });
  },
  'one list comes 3.5 s late': () => {
    let isOver = false;
    return listing(async (world, ask, clock) => {
      const answer = await ask();
      if (!isOver && isOut(world)) {
        isOver = true;
        await sleep(clock, 3_500);
      }
      return answer;
    });
  },
};

test.each(Object.entries(happenings))(
  '9.2 an outage, and %s: the margin counts from the leases, since the controller-manager kept its lead',
  async (_, instead) => {
    const wrong: unknown[] = [];
    for (let run = 0; run < 8; run++) {
      const guarded = await shoot(run, 5, instead());
      const { world, clock } = guarded;
      const cutAt = clock.now();
      world.cutOff();
      const marked = Math.min(...world.nodes.map(({ phase }) => cutAt - ((cutAt - phase) % 10_000))) + 40_000;
      await guarded.pass(3 * minute);
      const [shielded] = said(guarded, 'shielded', cutAt);
      if (shielded === undefined || shielded.note.firstMarkAt > marked)
        wrong.push({ run, seen: (shielded?.at ?? NaN) - marked, said: (shielded?.note.firstMarkAt ?? NaN) - marked });
      guarded.stop();
    }
    expect(wrong).toEqual([]);
  },
);

test('5.1 L2 our own way is refused while kubelets renew, and they are cut off before it is back: nothing is waited for', async () => {
  const late: number[] = [];
  for (let run = 0; run < 12; run++) {
    const guarded = await shoot(run);
    const { world, clock } = guarded;
    world.api = 'turningAway';
    await guarded.pass(50_000);
    world.cutOff();
    await guarded.pass(30_000);
    world.api = 'up';
    const backAt = clock.now();
    await guarded.pass(minute);
    const after = decidedAfter(guarded, backAt);
    // When the next probe comes; who waits for renewals takes 12 s more.
    if (after > 10_500) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test('5.8 5.9 of five nodes, two have no lease and one has one that cannot be read: two of four can never be three fifths, and it is told', async () => {
  const guarded = await shoot(
    0,
    5,
    listing(async (_, ask) => {
      const answer = await ask();
      if (!answer.ok) return answer;
      const leases = answer.value.leases.map((one): NodeLease =>
        one.node === 'node-2' ? { ...one, renewedAt: null } : one,
      );
      return { ok: true, value: { ...answer.value, leases } };
    }),
  );
  for (const node of guarded.world.nodes.slice(0, 2)) node.leased = false;
  await guarded.pass(75 * minute);
  guarded.stop();
  expect(said(guarded, 'unjudged', 0)).toHaveLength(1);
});

test('9.2 an outage that is never all down does not show the margin of the one before', async () => {
  const guarded = await shoot(0);
  const { world } = guarded;
  world.cutOff();
  await guarded.pass(40_000);
  world.heal();
  await guarded.pass(25_000);
  world.stuck.add(controllerManager.key);
  world.cutOff();
  await guarded.pass(40_000);
  expect(guarded.state).toBe('scalingDown');
  expect(await margins(guarded)).toHaveLength(1);
  await guarded.pass(3 * minute);
  guarded.stop();
  expect(guarded.state).toBe('scalingDown');
  expect(await margins(guarded)).toEqual([]);
});

test('L2 5.1 an API server is away for 8 s and there for 9 s, again and again, so a controller-manager keeps its lead: an outage is decided', async () => {
  const late: number[] = [];
  for (let run = 0; run < 8; run++) {
    const guarded = await shoot(run);
    const { world, clock } = guarded;
    const cutAt = clock.now();
    world.cutOff();
    for (let passed = 0; passed < 10 * minute; passed += 17_000) {
      world.api = 'turningAway';
      await guarded.pass(8_000);
      world.api = 'up';
      await guarded.pass(9_000);
    }
    const after = decidedAfter(guarded, cutAt);
    if (after > 2 * minute) late.push(after);
    guarded.stop();
  }
  expect(late).toEqual([]);
});

test.each(['leasesFail', 'turningAway', 'hanging'] as const)(
  'L2 5.1 every other question is answered by a server that is %s, and the next by one that is well: an outage is decided',
  async (how) => {
    const late: number[] = [];
    for (let run = 0; run < 8; run++) {
      let asked = 0;
      const guarded = await shoot(
        run,
        5,
        listing((world, ask) => (isOut(world) && asked++ % 2 === 0 ? once(world, how, ask) : ask())),
      );
      const cutAt = guarded.clock.now();
      guarded.world.cutOff();
      await guarded.pass(10 * minute);
      const after = decidedAfter(guarded, cutAt);
      // Each question that hangs takes half a minute.
      if (after > (how === 'hanging' ? 4 : 2) * minute) late.push(after);
      guarded.stop();
    }
    expect(late).toEqual([]);
  },
);

test.each([3_200, 5_000])(
  '5.1 in an outage each list comes %i ms later than the one before: it is decided all the same',
  async (by) => {
    const late: number[] = [];
    for (let run = 0; run < 8; run++) {
      let waits = 0;
      const guarded = await shoot(
        run,
        5,
        listing(async (world, ask, clock) => {
          const answer = await ask();
          if (isOut(world)) await sleep(clock, Math.min(25_000, (waits += by)));
          return answer;
        }),
      );
      const cutAt = guarded.clock.now();
      guarded.world.cutOff();
      await guarded.pass(5 * minute);
      const after = decidedAfter(guarded, cutAt);
      if (after > 2.5 * minute) late.push(after);
      guarded.stop();
    }
    expect(late).toEqual([]);
  },
);

test.each([
  ['hanging', 35_000],
  ['hanging', 40_000],
  ['down', 25_000],
  ['down', 35_000],
] as const)(
  '5.1 the machine of an API server dies, so nothing gets there (%s) for %i ms, and a new process takes over: nothing is scaled',
  async (how, length) => {
    let down = 0;
    for (let run = 0; run < 30; run++) {
      const guarded = await shoot(run);
      const { world, clock } = guarded;
      world.cutOff();
      world.api = how;
      await guarded.pass(length);
      world.restart();
      // Each renews at its turn.
      for (let passed = 0; passed <= 10_000; passed += 500) {
        for (const node of world.nodes)
          if ((clock.now() - node.phase) % 10_000 < 500)
            Object.assign(node, { cutOffAt: undefined, healedAt: clock.now() });
        await guarded.pass(500);
      }
      await guarded.pass(minute);
      if (guarded.world.writes.length > 0) down += 1;
      guarded.stop();
    }
    expect(down).toBe(0);
  },
);
