import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { pureMachines, type ShootSnapshot } from '../../src/machines/kinds.ts';
import type { DependantKey } from '../../src/domain/prober/dependant.ts';
import type { Instant } from '../../src/domain/time.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';

const config: ProberConfig = { ...gardenerConfig, dependants: [controllerManager, machineController] };
const [kcm, mcm] = [controllerManager.key, machineController.key];

/** As a journal brings it back. */
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

async function probed(under: ProberConfig = config) {
  const written: { at: Instant; key: DependantKey; change: object }[] = [];
  const unfaithful: string[] = [];
  let [woken, wokenAt] = [0, 0];
  const guarded: GuardedWorld = new GuardedWorld(under, 5, {
    onTurn: ({ at, commands, before, event, after }) => {
      for (const { type, params } of commands)
        if (type === 'scale') written.push({ at, key: params.key, change: params.change });
      const told = commands.map((one) => JSON.stringify(one));
      if (new Set(told).size < told.length) unfaithful.push(`twice: ${told.join()}`);
      // A belief that is to be checked may lie in the past (6.6): only what wakes again and again is a loop.
      woken = event.type === 'woken' && at === wokenAt ? woken + 1 : 0;
      wokenAt = at;
      if (woken > 10) unfaithful.push(`an endless loop at ${at}`);
      if (before === undefined || after === undefined || event.type === 'started' || event.type === 'ended') return;
      if (unfaithful.length > 5) return;
      const again = pureMachines.shoot.take(
        pureMachines.shoot.restore(json(pureMachines.shoot.plain(before as ShootSnapshot))),
        json(event),
      );
      if (JSON.stringify(again.commands) !== JSON.stringify(commands)) unfaithful.push(`replay of ${event.type}`);
    },
  });
  await guarded.pass(100_000);
  written.length = 0;
  const until = async (done: () => boolean, most = 60_000, step = 5): Promise<Instant> => {
    const end = guarded.clock.now() + most;
    while (!done() && guarded.clock.now() < end) await guarded.pass(step);
    return guarded.clock.now();
  };
  const of = (key: DependantKey) => written.filter((one) => one.key === key);
  const notes = (kind: string) =>
    guarded.turns.flatMap((turn) =>
      turn.notes.filter((note) => note.kind === kind).map((note) => ({ ...note, at: turn.at })),
    );
  return { guarded, world: guarded.world, of, until, notes, unfaithful };
}

describe('the count that only memory has', () => {
  test.for(['conflict', 'refused'] as const)(
    '6.8 L1 a webhook takes mark and record away on the way down; the first write up meets: %s',
    async (fault) => {
      const { guarded, world, of, until, unfaithful } = await probed();
      world.admission = (key, asked) => (key === mcm ? { ...asked, mark: false, record: undefined } : asked);
      world.cutOff();
      await guarded.pass(60_000);
      expect(world.state(mcm)).toMatchObject({ replicas: 0, mark: false });
      const before = of(kcm).length;
      world.heal();
      await until(() => of(kcm).length > before);
      const [mine] = [of(mcm).length];
      await guarded.pass(25_000);
      world.writing = fault;
      await until(() => of(mcm).length > mine, 30_000);
      await guarded.pass(200);
      world.writing = 'fine';
      world.admission = (_, asked) => asked;
      await guarded.pass(120_000);
      expect(unfaithful).toEqual([]);
      expect(world.state(mcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
    },
  );

  test('6.8 L1 the same where our answer on the way down was lost once', async () => {
    const { guarded, world, of, until } = await probed();
    world.admission = (key, asked) => (key === mcm ? { ...asked, mark: false, record: undefined } : asked);
    world.writing = 'lostAnswer';
    world.cutOff();
    await until(() => of(mcm).length > 0);
    await guarded.pass(10);
    world.writing = 'fine';
    world.admission = (_, asked) => asked;
    await guarded.pass(30_000);
    expect.soft(world.state(mcm)).toMatchObject({ replicas: 0, mark: true, record: '2' });
    world.heal();
    await guarded.pass(120_000);
    expect(world.state(mcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  });

  test('6.8 L1 cut off again between the stripped down and the answer of the way up', async () => {
    const { guarded, world, of, until } = await probed();
    world.admission = (key, asked) => (key === kcm ? { ...asked, mark: false, record: undefined } : asked);
    world.cutOff();
    await guarded.pass(60_000);
    world.writing = 'refused';
    const before = of(kcm).length;
    world.heal();
    await until(() => of(kcm).length > before && guarded.state === 'scalingUp');
    await guarded.pass(500);
    world.cutOff();
    world.writing = 'fine';
    world.admission = (_, asked) => asked;
    await guarded.pass(60_000);
    world.heal();
    await guarded.pass(120_000);
    expect(world.state(kcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  });

  test('6.8 L1 cut off while the answer of the second write is under way, which takes the replicas with it', async () => {
    const { guarded, world, until } = await probed();
    world.cutOff();
    await guarded.pass(60_000);
    let times = 0;
    world.admission = (key, asked) => (key === kcm && !asked.mark && times++ === 0 ? { ...asked, replicas: 0 } : asked);
    world.heal();
    await until(() => times > 0);
    await guarded.pass(60_000);
    expect(world.state(kcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  });

  test.for([0, 1])(
    '6.8 L1 on the way up a webhook leaves %i of 2 replicas where our mark is gone, for 3 s',
    async (left) => {
      const { guarded, world, until } = await probed();
      world.cutOff();
      await guarded.pass(60_000);
      let fewer = 0;
      world.admission = (key, asked) => (key === kcm && !asked.mark ? (fewer++, { ...asked, replicas: left }) : asked);
      world.heal();
      await until(() => fewer > 0);
      await guarded.pass(3_000);
      world.admission = (_, asked) => asked;
      await guarded.pass(120_000);
      expect(world.state(kcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
    },
  );
});

test.for([0, 1])(
  '6.8 L1 a webhook leaves %i of 2 replicas without our mark on the way up, and the shoot is cut off again',
  async (left) => {
    const { guarded, world, until } = await probed();
    world.cutOff();
    await guarded.pass(60_000);
    let fewer = 0;
    world.admission = (key, asked) => (key === kcm && !asked.mark ? (fewer++, { ...asked, replicas: left }) : asked);
    world.heal();
    await until(() => fewer > 0);
    await guarded.pass(100);
    world.writing = 'refused';
    world.cutOff();
    await until(() => guarded.state === 'scalingDown');
    world.admission = (_, asked) => asked;
    world.writing = 'fine';
    await guarded.pass(60_000);
    world.heal();
    await guarded.pass(180_000);
    expect(world.state(kcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  },
);

/** Back, and once the second write of kcm was undone. */
async function undoneOnce() {
  const play = await probed();
  const { guarded, world } = play;
  world.cutOff();
  await guarded.pass(60_000);
  let times = 0;
  world.admission = (key, asked, before) =>
    key === kcm && !asked.mark && before.mark && times++ === 0
      ? { ...asked, mark: true, record: before.record }
      : asked;
  world.heal();
  await guarded.pass(120_000);
  expect([times, world.state(kcm)]).toMatchObject([2, { replicas: 2, mark: false, record: undefined }]);
  await guarded.pass(3_600_000);
  return play;
}

describe('what was undone once is forgotten once all is back', () => {
  test('3.5 6.5 an hour later somebody else takes it to 0, and too few candidates are left: it is not ours', async () => {
    const { guarded, world, of } = await undoneOnce();
    const before = of(kcm).length;
    world.clustersLag = true;
    world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } });
    world.clusterReadingFails = true;
    world.edit(kcm, { replicas: 0 });
    for (const node of world.nodes) node.machine = 'Terminating';
    await guarded.pass(120_000);
    expect([of(kcm).slice(before), world.state(kcm).replicas]).toEqual([[], 0]);
  });

  test('6.5 an hour later somebody else takes it from 5 to 0: it is set to 1 (6.5), in one write', async () => {
    const { guarded, world, of } = await undoneOnce();
    const before = of(kcm).length;
    world.edit(kcm, { replicas: 5 });
    await guarded.pass(60_000);
    world.edit(kcm, { replicas: 0 });
    await guarded.pass(120_000);
    expect([
      of(kcm)
        .slice(before)
        .map(({ change }) => change),
      world.state(kcm).replicas,
    ]).toEqual([[{ replicas: 1 }], 1]);
  });

  test('6.4 an hour later it stands at 0 by another hand when the shoot is cut off: no mark of ours', async () => {
    const { guarded, world, of, until } = await undoneOnce();
    const before = of(kcm).length;
    world.endsIn.set(mcm, 3_000);
    world.cutOff();
    const mine = of(mcm).length;
    await until(() => of(mcm).length > mine);
    await guarded.pass(500);
    world.edit(kcm, { replicas: 0 });
    await guarded.pass(60_000);
    expect(of(kcm).slice(before)).toEqual([]);
  });
});

describe('a 0 by another hand soon after our way up is not ours', () => {
  test.for(['fine', 'refused', 'conflict', 'lostAnswer'] as const)(
    '6.5 the write that takes mark and record away met: %s; the 0 is seen twice, and set to 1 without a mark',
    async (fault) => {
      const { guarded, world, of, until } = await probed();
      world.cutOff();
      await guarded.pass(60_000);
      const before = of(kcm).length;
      world.heal();
      await until(() => of(kcm).length > before + 1);
      world.writing = fault;
      await guarded.pass(20);
      world.writing = 'fine';
      await until(() => guarded.state === 'probing');
      const mine = of(kcm).length;
      world.edit(kcm, { replicas: 0 });
      await guarded.pass(100);
      world.follow(kcm);
      await guarded.pass(60_000);
      const changes = of(kcm).slice(mine);
      expect(changes.map(({ change }) => change)).toEqual([{ replicas: 1 }]);
      expect(world.state(kcm)).toMatchObject({ replicas: 1, mark: false, record: undefined });
    },
  );
});

describe('the wait of a return', () => {
  const flapping: ProberConfig = {
    ...gardenerConfig,
    kcmNodeMonitorGraceDuration: 30_000,
    dependants: [
      controllerManager,
      { ...machineController, scaleUp: { ...machineController.scaleUp, initialDelay: 0 } },
    ],
  };

  test('6.5 it is kept where the first level has nothing to do (ignored)', async () => {
    const { guarded, world, of, notes } = await probed(flapping);
    world.edit(kcm, { ignored: true });
    for (let times = 0; times < 3; times++) {
      world.cutOff();
      await guarded.pass(50_000);
      world.heal();
      if (times < 2) await guarded.pass(60_000);
    }
    const before = of(mcm).length;
    await guarded.pass(100_000);
    const [waits] = notes('returnWaits').slice(-1) as unknown as { at: Instant; until: Instant }[];
    expect(waits).toBeDefined();
    expect(of(mcm)[before]!.at).toBeGreaterThanOrEqual(waits!.until);
  });

  test('6.5 the wait is kept where somebody has raised the first level by hand meanwhile', async () => {
    const free = { ...machineController, scaleUp: { ...machineController.scaleUp, initialDelay: 0 } };
    const { guarded, world, of, until, notes } = await probed({
      ...gardenerConfig,
      dependants: [controllerManager, free],
    });
    for (let times = 0; times < 2; times++) {
      world.cutOff();
      await until(() => guarded.state === 'scaledDown');
      world.heal();
      if (times === 0) await guarded.pass(60_000);
    }
    await until(() => notes('returnWaits').length > 0);
    const [waits] = notes('returnWaits') as unknown as { at: Instant; until: Instant }[];
    const before = of(mcm).length;
    world.edit(kcm, { replicas: 2, mark: false, record: undefined });
    await guarded.pass(60_000);
    expect(of(mcm)[before]!.at - waits!.until).toBeGreaterThanOrEqual(0);
  });
});
