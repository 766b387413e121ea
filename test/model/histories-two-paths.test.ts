import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { auditedWorld } from '../support/audited-world.ts';
import type { GuardedWorld } from '../support/guarded-world.ts';
import { calm, happen, otherHands, pathFaults, type Happening } from '../support/histories.ts';
import { autoscaler, controllerManager, machineController, twoPathConfig, widget } from '../support/prober-configs.ts';
import { lawsBrokenByWrite } from '../support/shoot-laws.ts';
import type { ApiBehaviour } from '../support/sim-world.ts';

// One of the kinds needs two writes for annotations and replicas, and has no watch.
const config: ProberConfig = {
  ...twoPathConfig,
  dependants: [controllerManager, machineController, autoscaler, widget],
};
const patient: ProberConfig = { ...config, probeInterval: 30_000, failureThreshold: 5, successThreshold: 2 };
const keys = config.dependants.map(({ key }) => key);
const runs = Number(process.env['HISTORIES'] ?? 15);

type Audited = ReturnType<typeof auditedWorld>;

async function live(under: ProberConfig, history: readonly Happening[]): Promise<Audited> {
  const audited = auditedWorld(under);
  await audited.guarded.pass(60_000);
  for (const one of history) {
    await happen(audited.guarded, one, keys);
    expectLaws(audited);
  }
  return audited;
}

for (const [name, under] of Object.entries({ 'with the defaults': config, patient }))
  test(`S1 S2 S3 S5 L1 L2 4.9 6.10 whatever befalls two paths, calm brings every replica back, and a broken path takes all down, across a restart (${name})`, async () => {
    const ways = fc.constantFrom<ApiBehaviour>('down', 'hanging', 'garbled');
    await fc.assert(
      fc.asyncProperty(fc.array(pathFaults, { maxLength: 40 }), ways, async (history, broken) => {
        const audited = await live(under, history);
        const { guarded } = audited;
        const { world } = guarded;

        calm(guarded, keys);
        await guarded.pass(600_000);
        expectBack(guarded);

        world.loadBalancer = broken;
        await guarded.pass(300_000);
        expectDown(guarded, 'L2');
        expect(guarded.state).toBe('scaledDown');

        guarded.restart();
        await guarded.pass(300_000);
        expectDown(guarded, '4.9 after a restart');

        world.api = 'down';
        world.loadBalancer = 'up';
        await guarded.pass(300_000);
        expectDown(guarded, 'S1 while the internal path fails');

        guarded.restart();
        calm(guarded, keys);
        await guarded.pass(600_000);
        expectBack(guarded);
        expectLaws(audited);
        guarded.stop();
      }),
      { numRuns: runs },
    );
  });

test('L1 4.9 6.5 6.9 6.4 whatever other hands did as well, calm leaves nothing at 0 and no mark', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: pathFaults }, otherHands), { maxLength: 40 }),
      async (history) => {
        const { guarded } = await live(config, history);
        calm(guarded, keys);
        await guarded.pass(600_000);
        for (const key of keys) {
          const { replicas, mark } = guarded.world.state(key);
          expect(replicas, `L1 ${key}`).toBeGreaterThan(0);
          expect(mark, `L1 ${key}`).toBe(false);
        }
        expect(guarded.state).toBe('probing');
        guarded.stop();
      },
    ),
    { numRuns: runs },
  );
});

test('S1 4.9 whatever befalls the external path and the kubelets, an internal path that never answers scales nothing', async () => {
  const without = pathFaults.filter((one) => one.do !== 'api' && one.do !== 'secret');
  await fc.assert(
    fc.asyncProperty(
      fc.array(without, { maxLength: 40 }),
      fc.constantFrom<ApiBehaviour>('down', 'hanging', 'garbled'),
      async (history, broken) => {
        const audited = auditedWorld(config);
        const { guarded } = audited;
        guarded.world.api = broken;
        for (const one of history) await happen(guarded, one, keys);
        await guarded.pass(300_000);
        expect(guarded.world.writes).toEqual([]);
        expect(guarded.world.asked.external).toBe(0);
        expect(audited.broken).toEqual([]);
        guarded.stop();
      },
    ),
    { numRuns: runs },
  );
});

function expectBack(guarded: GuardedWorld): void {
  for (const key of keys)
    expect(guarded.world.state(key), `L1 ${key}`).toMatchObject({ replicas: 2, ready: 2, mark: false });
  expect(guarded.state).toBe('probing');
}

function expectDown(guarded: GuardedWorld, law: string): void {
  for (const key of keys)
    expect(guarded.world.state(key), `${law} ${key}`).toMatchObject({ replicas: 0, mark: true, record: '2' });
}

/** What must hold for every write and every turn so far. */
function expectLaws({ guarded: { world, turns }, broken }: Audited): void {
  const carriedOut = world.writes.flatMap((one) => lawsBrokenByWrite(one.key, one.before, one.change, one.after));
  expect([...broken, ...carriedOut]).toEqual([]);
  world.writes.length = 0;
  // The last one is kept for `guarded.state`.
  turns.splice(0, turns.length - 1);
}
