import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { lawsBrokenByWrite } from '../support/shoot-laws.ts';
import { auditedWorld } from '../support/audited-world.ts';
import type { GuardedWorld } from '../support/guarded-world.ts';
import { calm, happen, faults, otherHands, type Happening } from '../support/histories.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController, widget } from '../support/prober-configs.ts';

// One of the kinds needs two writes for annotations and replicas, and has no watch.
const config: ProberConfig = {
  ...gardenerConfig,
  dependants: [controllerManager, machineController, autoscaler, widget],
};
const patient: ProberConfig = { ...config, probeInterval: 5_000, failureThreshold: 2, successThreshold: 2 };
const keys = config.dependants.map(({ key }) => key);
const runs = Number(process.env['HISTORIES'] ?? 40);

type Audited = ReturnType<typeof auditedWorld>;

async function live(under: ProberConfig, history: readonly Happening[]): Promise<Audited> {
  const audited = auditedWorld(under);
  const { guarded } = audited;
  await guarded.pass(60_000);
  for (const one of history) {
    await happen(guarded, one, keys);
    checkSafety(audited);
  }
  return audited;
}

for (const [name, under] of Object.entries({ gardener: config, patient }))
  test(`S1 S2 S3 S5 S7 L1 L2 6.10 whatever faults there were, calm brings every replica back, and a cut-off takes all down (${name})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(faults, { maxLength: 40 }), async (history) => {
        const audited = await live(under, history);
        const { guarded } = audited;

        calm(guarded, keys);
        await guarded.pass(600_000);
        expectBack(guarded, 2);

        guarded.world.cutOff();
        await guarded.pass(300_000);
        for (const key of keys)
          expect(guarded.world.state(key), `L2 ${key}`).toMatchObject({ replicas: 0, mark: true, record: '2' });
        expect(guarded.state).toBe('scaledDown');

        guarded.restart();
        calm(guarded, keys);
        await guarded.pass(600_000);
        expectBack(guarded, 2);
        checkSafety(audited);
        guarded.stop();
      }),
      { numRuns: runs },
    );
  });

test('L1 6.5 6.9 6.4 whatever other hands did as well, calm leaves nothing at 0 and no mark', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: faults }, otherHands), { maxLength: 40 }),
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

function expectBack(guarded: GuardedWorld, replicas: number): void {
  for (const key of keys)
    expect(guarded.world.state(key), `L1 ${key}`).toMatchObject({ replicas, ready: replicas, mark: false });
  expect(guarded.state).toBe('probing');
}

/** What must hold for every write and every turn so far. */
function checkSafety({ guarded: { world, turns }, broken }: Audited): void {
  // A write may be carried out long after its turn, on a resource that others have changed.
  const carriedOut = world.writes.flatMap((one) => lawsBrokenByWrite(one.key, one.before, one.change, one.after));
  expect([...broken, ...carriedOut]).toEqual([]);
  world.writes.length = 0;
  // The last one is kept for `guarded.state`.
  turns.splice(0, turns.length - 1);
}
