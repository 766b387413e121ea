import { expect, test } from 'vitest';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import type { Happening } from '../happening.ts';
import type { Law } from '../law.ts';
import { beginning, live } from '../life.ts';
import { clusterSaid, hearing, judged as judgedBy, shoot, turn } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { quietPlan, type SeedPlan } from '../seed-plan.ts';
import { askedShoots } from './clusters.ts';
import { healedInTime } from './healing.ts';
import { ownKubeconfigs } from './own-kubeconfigs.ts';
import { askedAgain, silentServers, trueOutages } from './verdicts.ts';

// One outage is lived, in which nothing is wrong. A law that hears of it otherwise than it was finds what would be wrong then.

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
  const plan = { ...quietPlan, weather: 400_000, happenings: lived };
  const { broken } = await live(plan, { laws: [hearing(law, heardOf)], endsWithWeather: true });
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

test('5.1 what nobody could renew while an API server restarted between two probes is not held against the nodes', async () => {
  const restarts = Array.from({ length: 8 }, (_, round) => ({
    at: 400_000 * (round + 1),
    kind: 'API server restarts',
    shoot,
    of: { length: 20_300, late: 1_500 },
  }));
  const plan = { ...quietPlan, weather: 3_600_000, happenings: restarts };
  const { broken, judged: counts } = await live(plan, { laws: [silentServers], endsWithWeather: true });
  expect(broken).toBe(undefined);
  expect(counts['looks at shoots whose API server had begun anew, unseen']).toBeGreaterThan(0);
});

/** Of a probe at this instant after a 429 at 1 s: what is wrong with it. */
const asked = (at: number, failure: object, failuresInRow = 1): string | undefined => {
  const event = { type: 'probe.failed', failure: { reason: 'throttled', ...failure } };
  const throttled = turn(1_000, { event, after: { context: { probe: { failuresInRow } } } });
  return judgedBy(askedAgain, [throttled, turn(at, { commands: [{ type: 'probe' }] })]);
};

test('4.5 a shoot that was throttled is asked again once its server lets it: in time, and too late', () => {
  expect(asked(9_000, { retryAfter: 5_000 })).toBeUndefined();
  expect(asked(9_001, { retryAfter: 5_000 })).toContain('3001 ms after its server would have let it');
  expect(asked(9_001, { retryAfter: 5_000 }, 2)).toBeUndefined();
  expect(asked(4_000, { retryAfter: 5_000, closes: true })).toBeUndefined();
  expect(asked(4_001, { retryAfter: 5_000, closes: true })).toContain('3001 ms after');
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

// A life in which a Secret is rotated, and one in which it is gone. The law hears it as it was, or of a process that goes on with the first kubeconfig.

async function askedIn(happenings: readonly Happening[], isStale: boolean): Promise<string> {
  let first: Extract<Observation, { kind: 'request' }>['request'] | undefined;
  const stale = (one: Observation): Observation => {
    if (one.kind !== 'request' || one.to === undefined) return one;
    first ??= one.request;
    return isStale ? { ...one, request: { ...one.request, headers: first.headers } } : one;
  };
  const { broken, judged: counts } = await live(
    { ...quietPlan, weather: 200_000, happenings },
    { laws: [hearing(ownKubeconfigs, (one) => [stale(one)])], endsWithWeather: true },
  );
  expect(counts['Secrets that lost a token']).toBe(1);
  return broken?.why ?? 'nothing';
}

test('4.1 a Secret that was rotated, or is gone: no probe goes by what it was, and one that does is seen', async () => {
  const rotated: readonly Happening[] = [{ at: 100_000, kind: 'Secret rotated', shoot }];
  expect(await askedIn(rotated, false)).toBe('nothing');
  expect(await askedIn(rotated, true)).toMatch(/^prober-0#1 asked shoot--demo--01 with a token \d/);
  expect(await askedIn([{ at: 100_000, kind: 'Secret removed', shoot }], false)).toBe('nothing');
});

/** The Secret is rotated while the seed is away. */
const away = (until: number): readonly Happening[] => [
  { at: 100_000, kind: 'seed down' },
  { at: 100_500, kind: 'Secret rotated', shoot },
  { at: until, kind: 'seed well' },
];

test('4.1 what was rotated while the seed was away is known once it has been back for a while, and not before', async () => {
  expect(await askedIn(away(110_000), true)).toContain('with a token');
  expect(await askedIn(away(180_000), true)).toBe('nothing');
});
