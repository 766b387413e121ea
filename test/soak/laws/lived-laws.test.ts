import { expect, test } from 'vitest';
import { workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Happening } from '../happening.ts';
import type { Law } from '../law.ts';
import { beginning, live } from '../life.ts';
import { begun, clusterSaid } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { quietPlan } from '../quiet-plan.ts';
import type { SeedPlan } from '../seed-plan.ts';
import { askedShoots } from './asked-shoots.ts';
import { healedInTime } from './healed-in-time.ts';
import { silentServers } from './silent-servers.ts';
import { trueOutages } from './true-outages.ts';

// One outage is lived, in which nothing is wrong. A law that hears of it otherwise than it was finds what would be wrong then.

const shoot = 'shoot--demo--01';
const happenings: readonly Happening[] = [
  { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
  { at: 100_000, kind: 'nodes healed', shoot },
  // A process that has just begun is given time; by now it has had it.
  { at: 300_000, kind: 'nodes healed', shoot },
];

/** What the law says of the outage where it hears this in the place of each observation. */
async function judged(
  law: Law,
  heardOf: (observation: Observation) => readonly Observation[],
  lived: readonly Happening[] = happenings,
): Promise<string> {
  const other: Law = {
    name: law.name,
    begin(scene) {
      const { hear, ...rest } = begun(law, scene);
      return {
        ...rest,
        hear: (observation) =>
          heardOf(observation).reduce<string | undefined>((why, one) => why ?? hear?.(one), undefined),
      };
    },
  };
  const plan = { ...quietPlan, weather: 400_000, happenings: lived };
  const { broken } = await live(plan, { laws: [other], endsWithWeather: true });
  return broken?.why ?? 'nothing';
}

const goesUp = (seen: Observation): boolean =>
  seen.kind === 'change' &&
  seen.of.scale !== undefined &&
  seen.at > Date.parse('2026-06-01T12:01:40Z') &&
  workloadNumbers(seen.of, seen.change.revision.object).desired > 0;

const verdictOf = (seen: Observation): readonly string[] =>
  seen.kind === 'turn' ? seen.turn.notes.flatMap((note) => (note.kind === 'verdict' ? [note.verdict] : [])) : [];

const cutOff = (seen: Observation): Observation =>
  seen.kind === 'turn' && seen.turn.kind === 'shoot'
    ? {
        ...seen,
        turn: {
          ...seen.turn,
          notes: seen.turn.notes.map((note) =>
            note.kind === 'verdict' && note.external === undefined ? { ...note, verdict: 'cutOff' } : note,
          ),
        },
      }
    : seen;

const cutOffOnceBack = (seen: Observation): Observation => (seen.at - beginning > 160_000 ? cutOff(seen) : seen);

const hibernated = (seen: Observation): readonly Observation[] =>
  seen.kind === 'happening' && seen.happening.at === 300_000 ? [seen, clusterSaid(seen.at, 'hibernated')] : [seen];

test('4.6 6.2 what is back goes up at once: it did, and it is seen where it had not', async () => {
  expect(await judged(healedInTime, (observation) => [observation])).toBe('nothing');
  expect(await judged(healedInTime, (seen) => (goesUp(seen) ? [] : [seen]))).toContain('is still at 0');
});

test('5.2 5.3 only a true outage is told: this one was, and one that is told of well leases is seen', async () => {
  expect(await judged(trueOutages, (observation) => [observation])).toBe('nothing');
  expect(await judged(trueOutages, (seen) => [cutOff(seen)])).toContain('they never were');
});

test('5.1 no shoot goes down because its API server was away: this one did not, and it is seen where it does', async () => {
  const away = [
    { at: 60_000, kind: 'API server down', shoot },
    { at: 160_000, kind: 'API server well', shoot },
  ];
  expect(await judged(silentServers, (observation) => [observation], away)).toBe('nothing');
  expect(await judged(silentServers, (seen) => [cutOffOnceBack(seen)], away)).toContain(
    'after its API server had come back',
  );
});

test('5.2 5.3 a shoot whose clocks are put right as the weather ends deceives whoever begins in that moment', async () => {
  const plan: SeedPlan = {
    ...quietPlan,
    weather: 160_000,
    happenings: [
      { at: 5_000, kind: 'all clocks set', shoot, of: { by: -38_000 } },
      { at: 20_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
      // What is down is probed at once by a process that begins; until calm comes none lives for long enough.
      { at: 95_000, kind: 'crash loop', of: { slot: 'prober-0', lives: 5, length: 60_000 } },
      { at: 95_001, kind: 'nodes healed', shoot },
    ],
  };
  const verdicts: string[] = [];
  const observe = (seen: Observation): void => {
    if (seen.at - beginning >= plan.weather) verdicts.push(...verdictOf(seen));
  };
  const { broken } = await live(plan, { laws: [trueOutages], observe });
  expect(verdicts[0]).toBe('cutOff');
  expect(broken?.why).toBeUndefined();
});

test('3.1 3.2 a shoot is asked only while its Cluster lets it: it was, and a question after it was hibernated is seen', async () => {
  expect(await judged(askedShoots, (observation) => [observation])).toBe('nothing');
  expect(await judged(askedShoots, hibernated)).toContain('after its Cluster had ruled it out');
});
