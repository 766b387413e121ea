import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProberConfig } from '../../../src/domain/prober/prober-config.ts';
import { whatIf } from '../../../src/inspector/told/what-if.ts';
import { whyNotScaled } from '../../../src/inspector/told/why-not.ts';
import type { ShootTurnTaken } from '../../../src/inspector/told/why-not-obstacle.ts';
import { calm, faults, happen, otherHands } from '../../support/histories.ts';
import {
  autoscaler,
  controllerManager,
  gardenerConfig,
  machineController,
  widget,
} from '../../support/prober-configs.ts';
import { played } from './asked-turns.ts';

const config: ProberConfig = {
  ...gardenerConfig,
  dependants: [controllerManager, machineController, autoscaler, widget],
};
const patient: ProberConfig = { ...config, probeInterval: 5_000, failureThreshold: 2, successThreshold: 2 };
const keys = config.dependants.map(({ key }) => key);
const happenings = fc.array(fc.oneof({ weight: 3, arbitrary: faults }, otherHands), { maxLength: 30 });
const runs = Number(process.env['HISTORIES'] ?? 15);

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
          const { event } = one.turn;
          const unchanged = whatIf(turns, index, {});
          if (event.type === 'ended') expect(unchanged.ok).toBe(false);
          else expect(unchanged, JSON.stringify(one.turn)).toMatchObject({ ok: true, differs: 'same', assumed: [] });
          taken += 1;
          if (unchanged.ok && unchanged.would.length > 1) looks += 1;
          down += agrees(turns, index, 'down');
          up += agrees(turns, index, 'up');
        }
      }),
      { numRuns: runs, seed: 7 },
    );
    expect({ taken: taken > 100, looks: looks > 5, down: down > 5, up: up > 5 }).toEqual({
      taken: true,
      looks: true,
      down: true,
      up: true,
    });
  });

/** 1 where the turn began to scale this way. Nothing may be said to have stood in the way of what began, and something of what did not. */
function agrees(turns: readonly ShootTurnTaken[], index: number, direction: 'down' | 'up'): number {
  const { turn, after } = turns[index]!;
  const { outcome, answer, obstacles } = whyNotScaled(turns, index, direction);
  expect(answer).toMatch(/\.$/);
  const flow = after?.context.flow;
  const goes = flow != null && (flow.aim === 'down') === (direction === 'down');
  expect(outcome === 'hindered', JSON.stringify({ turn, obstacles })).toBe(obstacles.length > 0);
  if (goes) expect(outcome, JSON.stringify({ turn, obstacles })).not.toBe('hindered');
  const verdict = turn.notes.some(({ kind }) => kind === 'verdict');
  if (!verdict) return 0;
  const states = direction === 'down' ? ['scalingDown', 'scaledDown'] : ['scalingUp'];
  const began = !states.includes(turn.from!) && states.includes(turn.to);
  const against = obstacles.filter(({ kind }) => kind !== 'nothingDue');
  if (began) expect(against, JSON.stringify(turn)).toEqual([]);
  else if (!states.includes(turn.to)) expect(obstacles, JSON.stringify(turn)).not.toEqual([]);
  return began ? 1 : 0;
}
