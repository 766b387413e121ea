import { expect, test } from 'vitest';
import { withProberTold, type ProberTold } from '../../src/domain/prober/prober-told.ts';
import {
  shootStates,
  type DependantStanding,
  type ShootStanding,
  type StandingState,
} from '../../src/domain/prober/standing.ts';
import { controllerManager } from '@dwd/testing/prober-configs.ts';
import { shielded } from '@dwd/testing/views.ts';

const down: DependantStanding = { dependant: controllerManager, state: 'scaledDown', view: shielded(), odd: [] };
const shown = (state: StandingState): ShootStanding => ({ shoot: 'shoot--a--b', state, dependants: [down] });

const changes: readonly (readonly [StandingState, ProberTold, StandingState])[] = [
  ['watched', { state: 'leaseFailed' }, 'cutOff'],
  ['watched', { state: 'scalingDown' }, 'cutOff'],
  ['watched', { state: 'scaledDown' }, 'cutOff'],
  ['watched', { state: 'probing', failing: 'version, refused' }, 'notAnswering'],
  ['watched', { state: 'probing', verdict: { kind: 'tooFew', expired: 1, candidates: 1, at: 0 } }, 'tooFew'],
  ['watched', { state: 'probing', unjudged: 'none has a lease' }, 'unjudged'],
  ['scaledDown', { state: 'scaledDown', failing: 'version, timeout' }, 'scaledDownNotAnswering'],
  ['scaledDown', { state: 'scalingUp' }, 'scalingUp'],
  ['scaledDownNotAnswering', { state: 'scalingUp' }, 'scalingUp'],
  ['partlyScaledDown', { state: 'scalingUp' }, 'scalingUp'],
  ['scalingDown', { state: 'scalingUp' }, 'scalingUp'],
  ['scaledDownNotAnswering', { state: 'scalingDown' }, 'scalingDown'],
  ['scaledDownNotAnswering', { state: 'leaseFailed' }, 'scalingDown'],
  ['partlyScaledDown', { state: 'scalingDown' }, 'scalingDown'],
  ['partlyScaledDown', { state: 'leaseFailed' }, 'scalingDown'],
  ['scalingUp', { state: 'scalingDown' }, 'scalingDown'],
  ['scalingUp', { state: 'leaseFailed' }, 'scalingDown'],
];

test.each(changes)('9.8 %s in the cluster, told %j: %s', (state, told, as) => {
  expect(withProberTold(shown(state), told).state).toBe(as);
});

test('9.8 in every other case the state is what the cluster shows', () => {
  const states = ['idle', 'probing', 'leaseFailed', 'scalingDown', 'scaledDown', 'scalingUp'] as const;
  const changed = new Set(
    changes
      .filter(([, { failing, verdict, unjudged }]) => [failing, verdict, unjudged].every((told) => told === undefined))
      .map(([from, { state }]) => `${from} ${state}`),
  );
  const others = shootStates.flatMap((shows) => states.map((state) => [shows, state] as const));
  expect(others.length).toBe(90);
  const wrong = others.filter(
    ([shows, state]) => !changed.has(`${shows} ${state}`) && withProberTold(shown(shows), { state }).state !== shows,
  );
  expect(wrong).toEqual([]);
});

test('9.8 why a shoot does not answer, and when the prober brought a dependant to 0', () => {
  expect(withProberTold(shown('watched'), { state: 'probing', failing: 'leases, refused: 403' })).toMatchObject({
    reason: 'leases, refused: 403',
  });
  const told = { state: 'scaledDown', downAt: { [controllerManager.key]: 7 } } as const;
  expect(withProberTold(shown('scaledDown'), told).dependants[0]?.downBy).toEqual({ by: 'the prober', at: 7 });
  const up = { ...shown('watched'), dependants: [{ ...down, state: 'up' as const }] };
  expect(withProberTold(up, told).dependants[0]).not.toHaveProperty('downBy');
});
