import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { whatIf } from '../../model/questions/what-if.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { calm, faults, happen, otherHands } from '@dwd/testing/histories.ts';
import {
  autoscaler,
  controllerManager,
  gardenerConfig,
  machineController,
  widget,
} from '@dwd/testing/prober-configs.ts';
import { played } from './asked-turns.ts';

const config: ProberConfig = {
  ...gardenerConfig,
  dependants: [controllerManager, machineController, autoscaler, widget],
};
const patient: ProberConfig = { ...config, probeInterval: 5_000, failureThreshold: 2, successThreshold: 2 };
const keys = config.dependants.map(({ key }) => key);
const happenings = fc.array(fc.oneof({ weight: 3, arbitrary: faults }, otherHands), { maxLength: 30 });
const runs = Number(process.env['HISTORIES'] ?? 6);

for (const [name, under] of Object.entries({ gardener: config, patient }))
  test(`L3 9.7 whatever came before, what if nothing were changed gives just what is recorded, and why not agrees with what was done (${name})`, async () => {
    let [taken, looks, down, up] = [0, 0, 0, 0];
    await fc.assert(
      fc.asyncProperty(happenings, async (history) => {
        const turns = await played(under, async (guarded) => {
          await guarded.pass(60_000);
          for (const one of history) await happen(guarded, one, keys);
          guarded.world.cutOff();
          await guarded.pass(100_000);
          calm(guarded, keys);
          await guarded.pass(200_000);
        });
        for (const [index, one] of turns.entries()) {
          const unchanged = whatIf(turns, index, {});
          const same = one.turn.event.type === 'ended' ? { ok: false } : { ok: true, differs: 'same', assumed: [] };
          expect({ turn: one.turn, unchanged }).toMatchObject({ unchanged: same });
          taken += 1;
          looks += Number(unchanged.ok && unchanged.would.length > 1);
          expect({ turn: one.turn, wrong: disagreements(turns, index) }).toMatchObject({ wrong: [] });
          down += Number(begins(one, 'down'));
          up += Number(begins(one, 'up'));
        }
      }),
      { numRuns: runs, seed: 7 },
    );
    expect({ taken: taken > 100, looks: looks > 3, down: down > 3, up: up > 3 }).toEqual({
      taken: true,
      looks: true,
      down: true,
      up: true,
    });
  });

const goingStates = { down: ['scalingDown', 'scaledDown'], up: ['scalingUp'] } as const;

/** A verdict of this turn made the shoot go this way. */
function begins({ turn }: ShootTurnTaken, direction: 'down' | 'up'): boolean {
  const states: readonly (string | undefined)[] = goingStates[direction];
  return turn.notes.some(({ kind }) => kind === 'verdict') && !states.includes(turn.from) && states.includes(turn.to);
}

/** Nothing may be said to have stood in the way of what began or goes on, and something of what did not. */
function disagreements(turns: readonly ShootTurnTaken[], index: number): readonly string[] {
  const one = turns[index]!;
  return (['down', 'up'] as const).flatMap((direction) => {
    const { outcome, answer, obstacles } = whyNotScaled(turns, index, direction);
    const flow = one.after?.context.flow;
    const goes = flow != null && (flow.aim === 'down') === (direction === 'down');
    const against = obstacles.filter(({ kind }) => kind !== 'nothingDue');
    const isThere = goingStates[direction].some((state) => state === one.turn.to);
    return [
      answer.endsWith('.') ? [] : ['it is no sentence'],
      (outcome === 'hindered') === obstacles.length > 0 ? [] : ['hindered by nothing'],
      goes && outcome === 'hindered' ? [`hindered on its way ${direction}`] : [],
      begins(one, direction) && against.length > 0 ? [`hindered though it began: ${against[0]?.kind}`] : [],
      !goes && !isThere && outcome === 'underWay' ? [`under way ${direction} without a flow`] : [],
    ].flat();
  });
}
