import { expect, test } from 'vitest';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { cutOff, type Happening } from '../happening.ts';
import { live } from '../life.ts';
import { hearing, shoot } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import type { Law } from '../law.ts';
import { quietPlan } from '../seed-plan.ts';
import { neverWoken, unjudgedShoots } from './unjudged.ts';

const mistakes = ['nodes uncounted by hand', 'nodes uncounted by their Machines', 'nodes uncounted without leases'];

/** Cut off, and not to be judged any more once all is down. */
const inOutage = (kind: string, fraction = 1): readonly Happening[] => [
  ...cutOff(shoot, 120_000, 590_000),
  { at: 260_000, kind, shoot, of: { fraction } },
  { at: 590_000, kind: 'nodes counted again', shoot },
];

async function lived(law: Law, happenings: readonly Happening[], heard = (seen: Observation) => seen) {
  const { broken, judged } = await live(
    { ...quietPlan, nodes: 5, weather: 600_000, happenings: happenings.toSorted((one, other) => one.at - other.at) },
    { laws: [hearing(law, (seen) => [heard(seen)])] },
  );
  return { why: broken?.why, judged };
}

const scaled = (at: number, replicas: number) =>
  [0, 1, 2].map((which): Happening => ({ at, kind: 'scaled by hand', shoot, of: { which, replicas } }));

const without =
  (kind: ShootNote['kind']) =>
  (seen: Observation): Observation =>
    seen.kind === 'turn' && seen.turn.kind === 'shoot'
      ? { ...seen, turn: { ...seen.turn, notes: seen.turn.notes.filter((one) => one.kind !== kind) } }
      : seen;

test.each(mistakes)(
  '5.8 5.9 %s in an outage: nothing goes up, and it is told; it is seen where it is not told',
  async (kind) => {
    const { why, judged } = await lived(unjudgedShoots, inOutage(kind));
    expect(why).toBeUndefined();
    expect(judged['ways up that began']).toBeGreaterThan(0);
    expect(judged['looks at shoots that nobody could judge']).toBeGreaterThan(30);
    const silent = await lived(unjudgedShoots, inOutage(kind), without('unjudged'));
    expect(silent.why).toContain('has not said that nobody can judge');
  },
);

test('5.9 most leases vanish in an outage, and nothing goes up', async () => {
  const { why, judged } = await lived(unjudgedShoots, inOutage('nodes uncounted without leases', 0.8));
  expect(why).toBeUndefined();
  expect(judged['ways up that began']).toBeGreaterThan(0);
});

test('3.5 the stream of Clusters is late, and a shoot that hibernates stays at 0', async () => {
  const { why, judged } = await lived(neverWoken, [
    // By hand, and of a shoot that is awake: it is raised.
    ...scaled(100_000, 0),
    { at: 200_000, kind: 'Clusters late', of: { lag: 100_000 } },
    { at: 210_000, kind: 'hibernated', shoot },
    ...scaled(210_100, 0),
    { at: 360_000, kind: 'Clusters late', of: { lag: 0 } },
  ]);
  expect(why).toBeUndefined();
  expect(judged['raises of what bore no mark']).toBeGreaterThan(0);
});
