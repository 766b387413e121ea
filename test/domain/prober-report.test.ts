import { expect, test } from 'vitest';
import { withProberReport, type ProberReport } from '../../src/domain/prober/prober-report.ts';
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

const changes: readonly (readonly [StandingState, ProberReport['state'], StandingState, StandingState])[] = [
  ['watched', 'leaseFailed', 'cutOff', 'cutOff'],
  ['watched', 'scalingDown', 'scalingDown', 'cutOff'],
  ['watched', 'scaledDown', 'scaledDown', 'cutOff'],
  ['watched', 'scaledDown', 'scaledDownNotAnswering', 'cutOff'],
  ['watched', 'probing', 'notAnswering', 'notAnswering'],
  ['watched', 'probing', 'tooFew', 'tooFew'],
  ['watched', 'probing', 'unjudged', 'unjudged'],
  ['scaledDown', 'scaledDown', 'scaledDownNotAnswering', 'scaledDownNotAnswering'],
  ['scaledDown', 'scalingUp', 'scalingUp', 'scalingUp'],
  ['scaledDownNotAnswering', 'scalingUp', 'scalingUp', 'scalingUp'],
  ['partlyScaledDown', 'scalingUp', 'scalingUp', 'scalingUp'],
  ['scalingDown', 'scalingUp', 'scalingUp', 'scalingUp'],
  ['scaledDownNotAnswering', 'scalingDown', 'scalingDown', 'scalingDown'],
  ['scaledDownNotAnswering', 'leaseFailed', 'cutOff', 'scalingDown'],
  ['partlyScaledDown', 'scalingDown', 'scalingDown', 'scalingDown'],
  ['partlyScaledDown', 'leaseFailed', 'cutOff', 'scalingDown'],
  ['scalingUp', 'scalingDown', 'scalingDown', 'scalingDown'],
  ['scalingUp', 'leaseFailed', 'cutOff', 'scalingDown'],
];

test.each(changes)('9.8 %s in the cluster, told %s, %s: %s', (state, told, standing, as) => {
  expect(withProberReport(shown(state), { state: told, standing }).state).toBe(as);
});

/** What each state of a machine may stand for. */
const stood: Readonly<Record<ProberReport['state'], readonly StandingState[]>> = {
  idle: ['leftAlone', 'waiting', 'unreadable'],
  probing: [
    'watched',
    'waiting',
    'scaledDown',
    'partlyScaledDown',
    'unreadable',
    'scaledDownByOthers',
    'notAnswering',
    'unjudged',
    'tooFew',
  ],
  leaseFailed: ['cutOff'],
  scalingDown: ['scalingDown'],
  scaledDown: ['scaledDown', 'scaledDownNotAnswering'],
  scalingUp: ['scalingUp'],
};

test('9.8 in every other case the state is what the cluster shows', () => {
  const changed = new Set(changes.map(([from, state, standing]) => `${from} ${state} ${standing}`));
  const others = shootStates.flatMap((shows) =>
    Object.entries(stood).flatMap(([state, those]) =>
      those.map((standing) => ({ shows, state: state as ProberReport['state'], standing })),
    ),
  );
  expect(others.length).toBe(15 * 17);
  const wrong = others.filter(
    ({ shows, state, standing }) =>
      !changed.has(`${shows} ${state} ${standing}`) &&
      withProberReport(shown(shows), { state, standing }).state !== shows,
  );
  expect(wrong).toEqual([]);
});

test('9.8 why a shoot does not answer, and when the prober brought a dependant to 0', () => {
  expect(
    withProberReport(shown('watched'), { state: 'probing', standing: 'notAnswering', failing: 'leases, refused: 403' }),
  ).toMatchObject({
    reason: 'leases, refused: 403',
  });
  const told = { state: 'scaledDown', standing: 'scaledDown', downAt: { [controllerManager.key]: 7 } } as const;
  expect(withProberReport(shown('scaledDown'), told).dependants[0]?.downBy).toEqual({ by: 'the prober', at: 7 });
  const up = { ...shown('watched'), dependants: [{ ...down, state: 'up' as const }] };
  expect(withProberReport(up, told).dependants[0]).not.toHaveProperty('downBy');
});
