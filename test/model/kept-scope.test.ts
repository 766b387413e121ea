import * as fc from 'fast-check';
import { transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { pureMachines } from '../../src/machines/kinds.ts';
import { keptTransition } from '../../src/machines/pure-machine.ts';
import { shootMachine } from '../../src/machines/shoot.ts';
import { weederMachine } from '../../src/machines/weeder.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { happen, otherHands, pathFaults } from '@dwd/testing/histories.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { WeededWorld } from '@dwd/testing/weeded-world.ts';
import { chain, happenTo, populate, weederHappening } from '../support/weeder-histories.ts';

const runs = Number(process.env['HISTORIES'] ?? 20);
const keys = gardenerConfig.dependants.map(({ key }) => key);

type Step = readonly [AnyMachineSnapshot, readonly Readonly<{ type: string; params?: unknown }>[]];

const seen = ([{ value, context, status }, actions]: Step) => ({
  value,
  context,
  status,
  actions: actions.map(({ type, params }) => ({ type, params })),
});

/** Takes the event as XState itself would, and as we do, and gives both in comparable form. */
function compared(machine: AnyStateMachine) {
  const kept = keptTransition(machine);
  return (before: AnyMachineSnapshot, event: Readonly<{ type: string }>) => ({
    ours: seen(kept(before, event)),
    xstates: seen(transition(machine, before, event)),
  });
}

test.each<readonly [string, ProberConfig]>([
  ['leases', gardenerConfig],
  ['two paths', twoPathConfig],
])('L3 every event of a shoot leads where XState itself would take it: %s', async (_, config) => {
  const both = compared(shootMachine);
  const history = fc.array(fc.oneof({ weight: 3, arbitrary: pathFaults }, otherHands), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(history, async (happenings) => {
      const guarded = new GuardedWorld(config);
      await guarded.pass(60_000);
      for (const one of happenings) await happen(guarded, one, keys);
      for (const { before, event } of guarded.turns) {
        if (before === undefined || event.type === 'started' || event.type === 'ended') continue;
        const { ours, xstates } = both(pureMachines.shoot.restore(before), event);
        expect(ours).toEqual(xstates);
      }
      guarded.stop();
    }),
    { numRuns: runs },
  );
});

test('L3 every event of a service leads where XState itself would take it', async () => {
  const both = compared(weederMachine);
  await fc.assert(
    fc.asyncProperty(fc.array(weederHappening, { maxLength: 20 }), async (happenings) => {
      const weeded = new WeededWorld(chain);
      populate(weeded, 1);
      weeded.start();
      await weeded.pass(50);
      for (const one of happenings) await happenTo(weeded, one);
      for (const { before, event } of weeded.turns) {
        if (before === undefined || event.type === 'started' || event.type === 'ended') continue;
        const { ours, xstates } = both(pureMachines.weeder.restore(before), event);
        expect(ours).toEqual(xstates);
      }
      weeded.stop();
    }),
    { numRuns: runs },
  );
});

test('L3 a decision that throws leaves nothing behind for the next event', () => {
  const kept = keptTransition(shootMachine);
  const { snapshot } = pureMachines.shoot.first({ shoot: 's', config: gardenerConfig, followed: false, chance: 1 });
  const gone = { type: 'cluster.gone', at: 1 };
  const undisturbed = seen(kept(snapshot, gone));
  expect(() => kept(snapshot, { type: 'cluster.changed' })).toThrow('undefined');
  expect(seen(kept(snapshot, gone))).toEqual(undisturbed);
});
