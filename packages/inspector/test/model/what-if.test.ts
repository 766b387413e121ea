import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeaseConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Changes } from '../../model/questions/what-if-changes.ts';
import { basisOf } from '../../model/questions/what-if-form.ts';
import { leasesBeside, whatIf } from '../../model/questions/what-if.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { probing, type AskedShoot } from './asked-turns.ts';

/** All is well, and it is probed; then this happens. */
const probed = (...acts: readonly ((shoot: AskedShoot) => unknown)[]) => probing(gardenerConfig, ...acts);

/** A probe that was answered with leases so old. */
function answered(...ages: readonly (Millis | null)[]) {
  return (shoot: AskedShoot) => {
    shoot.wakeProbe();
    shoot.leases(ages);
  };
}

const cutOff = (shoot: AskedShoot) => void shoot.wholeProbe('cutOff');
const failed = (shoot: AskedShoot) => {
  shoot.wakeProbe();
  shoot.leases([1_000, 1_000]);
  shoot.wakeProbe();
  shoot.probeFails();
};

type Case = readonly [
  name: string,
  story: (shoot: AskedShoot) => void,
  changes: Changes,
  would: string,
  assumed: readonly string[],
  config?: Partial<LeaseConfig>,
];

const recordedLook = ['Nodes and Machines are as they were answered 0.0 s later.'];
const noLook = [
  'No answer about nodes and Machines is recorded for this probe, so every node with a lease counts here.',
];
const grace = { kcmNodeMonitorGraceDuration: 120_000 };

const cases: readonly Case[] = [
  ['5.1 5.4 all leases are older', answered(1_000, 1_000), { allAges: 31_000 }, 'scalingDown cutOff 2/2', noLook],
  ['5.1 all leases are fresh', cutOff, { allAges: 1_000 }, 'probing connected 0/2', []],
  [
    '5.3 one lease alone is older',
    answered(1_000, 1_000),
    { ages: new Map([['a', 31_000]]) },
    'probing connected 1/2',
    noLook,
  ],
  ['5.1 one lease cannot be read', cutOff, { ages: new Map([['a', null]]) }, 'probing tooFew 1/1', recordedLook],
  [
    '5.1 one lease outranks all',
    cutOff,
    { allAges: 1_000, ages: new Map([['a', 35_000]]) },
    'probing connected 1/2',
    recordedLook,
  ],
  [
    '5.3 the fraction is lower',
    (shoot) => (shoot.wakeProbe(), shoot.leases([31_000, 1_000]), shoot.candidates()),
    { config: { nodeLeaseFailureFraction: 0.5 } },
    'scalingDown cutOff 1/2',
    recordedLook,
  ],
  ['5.1 the grace is longer', cutOff, { config: grace }, 'probing connected 0/2', []],
  [
    '3.3 the shoot has a grace of its own',
    (shoot) => (shoot.cluster({ nodeMonitorGrace: 40_000 }), cutOff(shoot)),
    { config: grace },
    'probing connected 0/2',
    ['The shoot has a grace of its own, which outranks the configuration: that one is changed.'],
  ],
  ['2 it takes another verdict', cutOff, { config: { failureThreshold: 2 } }, 'leaseFailed cutOff 2/2', recordedLook],
  [
    '2 it takes no other verdict',
    cutOff,
    { config: { failureThreshold: 1 } },
    'scalingDown cutOff 2/2',
    recordedLook,
    { failureThreshold: 2 },
  ],
  ['4.4 S1 the look fails', cutOff, { answer: 'timeout' }, 'probing', recordedLook],
  ['4.4 S1 the probe fails', answered(1_000, 1_000), { answer: 'unreachable' }, 'probing', []],
  ['4.4 the probe is answered', failed, { answer: 'answered' }, 'scalingDown cutOff 2/2', noLook],
  [
    '4.4 the probe is answered with other leases',
    failed,
    { answer: 'answered', allAges: 2_000 },
    'probing connected 0/2',
    [],
  ],
  ['4.5 it fails otherwise', failed, { answer: 'throttled' }, 'probing', []],
  [
    '5.2 a node does not count in the recorded look',
    (shoot) => void shoot.wholeProbe('tooFew'),
    { config: { failureThreshold: 3 } },
    'probing tooFew 1/1',
    recordedLook,
  ],
];

test.each(
  cases.map(
    ([name, story, changes, would, assumed, config = {}]) => [name, story, changes, would, assumed, config] as const,
  ),
)('9.7 %s: what if says what the same machine decides', (_, story, changes, would, assumed, config) => {
  const shoot = probing({ ...gardenerConfig, ...config }, story);
  const told = whatIf(shoot.turns, shoot.last, changes);
  expect(told.ok && { would: decided(told.would), assumed: told.assumed }).toEqual({ would, assumed });
});

function decided(steps: Extract<ReturnType<typeof whatIf>, { ok: true }>['would']): string {
  const note = steps.flatMap(({ notes }) => notes).find(({ kind }) => kind === 'verdict');
  const verdict =
    note?.kind === 'verdict' && note.external === undefined
      ? ` ${note.verdict} ${note.expired}/${note.candidates}`
      : '';
  return `${steps.at(-1)!.to}${verdict}`;
}

test('9.7 what it would have decided stands beside what it did', () => {
  const shoot = probed(answered(1_000, 1_000));
  const told = whatIf(shoot.turns, shoot.last, { allAges: 31_000 });
  expect(told).toMatchObject({
    differs: 'decision',
    answer:
      'It would have decided otherwise: cut off (2 of 2 leases expired), then scalingDown; scales to 0: machine-controller-manager, cluster-autoscaler. It did: connected (0 of 2 leases expired), then probing.',
    did: [{ to: 'probing' }],
    would: [{ to: 'probing' }, { to: 'scalingDown' }],
  });
  expect(leasesBeside(shoot.turns.at(-1)!.after!.context, told)).toMatchObject([
    { node: 'a', did: { silent: 1_000, expired: false }, would: { silent: 31_000, expired: true } },
    { node: 'b', did: { silent: 1_000, expired: false }, would: { silent: 31_000, expired: true } },
  ]);
  const later = whatIf(shoot.turns, shoot.last, { config: { probeInterval: 7_000 } });
  expect(later).toMatchObject({ differs: 'otherwise' });
});

test('5.1 9.7 a lease that has moved since the probe before was renewed since, however old it is imagined', () => {
  const shoot = probed(answered(15_000, 15_000));
  shoot.now += 30_000;
  answered(2_000, 2_000)(shoot);
  const told = whatIf(shoot.turns, shoot.last, { allAges: 31_000 });
  // The probe before showed a lease of 15 s, so its clock is behind by 1 to 15 s, or some more by now: 3 s older than certain.
  expect(leasesBeside(undefined, told).map(({ would }) => would?.silent)).toEqual([18_700, 18_700]);
});

test('9.7 a look whose answer is not recorded is answered only where something is imagined otherwise', () => {
  const shoot = probed(answered(31_000, 31_000));
  expect(whatIf(shoot.turns, shoot.last, {})).toMatchObject({
    differs: 'same',
    would: [{ to: 'probing' }],
    assumed: [],
  });
  const told = whatIf(shoot.turns, shoot.last, { allAges: 32_000 });
  expect(told).toMatchObject({ differs: 'decision', would: [{}, { to: 'scalingDown' }], assumed: noLook });
});

test('9.7 the turns between a probe and its look come as they came', () => {
  const shoot = probed(answered(31_000, 31_000));
  const number = shoot.probeNumber;
  shoot.cluster({ hibernationEnabled: true });
  shoot.candidates(undefined, number);
  const begun = shoot.last - 2;
  expect(whatIf(shoot.turns, begun, { config: { failureThreshold: 2 } })).toMatchObject({
    ok: true,
    would: [{ to: 'probing' }, { event: { type: 'cluster.changed' }, to: 'idle' }, { to: 'idle' }],
  });
});

test('5.1 9.7 an age is one on our clock, whatever the clock of the shoot says', () => {
  const shoot = probed();
  shoot.wakeProbe();
  const at = shoot.now;
  const served = { date: at + 60_000, sentAt: at, receivedAt: at };
  const leases = ['a', 'b'].map((node) => ({ node, renewedAt: at + 59_000 }));
  shoot.take({ type: 'probe.answered', at, number: shoot.probeNumber, askedAt: at, leases, served });
  const told = whatIf(shoot.turns, shoot.last, { allAges: 31_000 });
  expect(leasesBeside(undefined, told).map(({ would }) => would?.silent)).toEqual([31_000, 31_000]);
});

test('3.3 3.5 9.7 a Cluster that comes with the look does not bring back the grace that is imagined otherwise', () => {
  const shoot = probed();
  shoot.clustersWatched(false);
  answered(31_000, 31_000)(shoot);
  const cluster = { ...activeCluster, nodeMonitorGrace: 60_000 };
  shoot.candidatesWith({ outcome: 'read', reading: { readable: true, cluster } });
  const told = whatIf(shoot.turns, shoot.last, { config: { kcmNodeMonitorGraceDuration: 41_000 } });
  expect(told.ok && decided(told.would)).toBe('scalingDown cutOff 2/2');
});

test('L3 9.7 where this machine comes out otherwise, that is said', () => {
  const shoot = probed(answered(1_000, 1_000));
  const difference = { in: 'state', recorded: 'idle', replayed: 'probing' } as const;
  const turns = shoot.turns.map((one) => ({ ...one, replayed: { outcome: 'differs', difference } as const }));
  const told = whatIf(turns, shoot.last, {});
  expect(told.ok && told.assumed).toEqual([
    'The machine of this page does not come to what is recorded here: another version wrote it.',
  ]);
});

type Refused = readonly [name: string, at: (shoot: AskedShoot) => number, changes: Changes, sentence: string];

const refusals: readonly Refused[] = [
  [
    'ages where no probe is answered',
    (shoot) => (shoot.wakeProbe(), shoot.last),
    { allAges: 1 },
    'age of all leases: this turn brings no leases. Choose a turn in which a probe is answered.',
  ],
  [
    'a failure where no probe is answered',
    (shoot) => (shoot.wakeProbe(), shoot.last),
    { answer: 'timeout' },
    'answer: this turn is no answer of a probe. Choose a turn in which a probe is answered or fails.',
  ],
  [
    'a node without a lease',
    (shoot) => (answered(1, 1)(shoot), shoot.last),
    { ages: new Map([['z', 1]]) },
    'age of z: this node has no lease in this turn. Choose one of its 2 leases.',
  ],
  [
    'ages and a failure',
    (shoot) => (answered(1, 1)(shoot), shoot.last),
    { allAges: 1, answer: 'timeout' },
    'answer: a probe that fails brings no leases. Take back the ages, or the failure.',
  ],
  [
    'ages of a probe that failed',
    (shoot) => (failed(shoot), shoot.last),
    { allAges: 1 },
    'age of all leases: this probe failed, so it brought no leases. Choose "answered" as its answer as well.',
  ],
  [
    'an answer nobody knows',
    (shoot) => (shoot.wakeProbe(), shoot.probeFails(), shoot.last),
    { answer: 'answered' },
    'answer: no lease had been seen before this probe, so nobody knows what it would have brought. Choose a later turn.',
  ],
  ['a turn that is none', () => 99, {}, 'turn: there is no such turn. Choose one of the list.'],
];

test.each(refusals)('9.7 %s is refused, with its field and what to do', (_, at, changes, sentence) => {
  const shoot = probed();
  const index = at(shoot);
  const told = whatIf(shoot.turns, index, changes);
  expect(told).toMatchObject({
    ok: false,
    refused: [
      {
        sentence,
        field: sentence
          .slice(0, sentence.indexOf(':'))
          .replace('age of all leases', 'allAges')
          .replace('age of ', 'age.'),
      },
    ],
  });
});

function refusal(turn: ShootTurnTaken): string {
  const told = whatIf([turn], 0, {});
  return told.ok ? '' : told.refused[0]!.sentence;
}

test('9.7 a turn before which nothing is known, and the end of a machine, are refused', () => {
  const shoot = probed();
  const one = shoot.turns.at(-1)!;
  expect(refusal({ ...one, before: undefined })).toBe(
    'turn: nothing that is recorded tells where the machine stood before it. Choose a later turn.',
  );
  const ended = { type: 'ended', at: 1, because: 'gone' } as const;
  expect(refusal({ ...one, turn: { ...one.turn, event: ended } })).toBe(
    'turn: the machine ended here, and decided nothing. Choose the turn before it.',
  );
});

test('9.7 whatever a file has for a snapshot, what if throws nothing', () => {
  const shoot = probed(cutOff);
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.nat(12), (value, context, index) => {
      const odd = { value, context } as unknown as ShootTurnTaken['before'];
      const turns = shoot.turns.map((one) => ({ ...one, before: odd }));
      const told = whatIf(turns, index, { allAges: 5 });
      expect(told.ok || told.refused.every(({ sentence }) => sentence.endsWith('.'))).toBe(true);
    }),
    { seed: 7 },
  );
});

test('9.7 a form knows what of a turn can be imagined', () => {
  const shoot = probed(cutOff);
  const answers = shoot.turns.slice(-3).map((one) => basisOf(one).answer);
  expect(answers).toEqual(['none', 'probe', 'look']);
  expect(basisOf(shoot.turns.at(-1))).toMatchObject({ config: gardenerConfig, expiredFrom: 30_000 });
  expect(basisOf(undefined)).toEqual({ answer: 'none', config: undefined, fields: [], expiredFrom: undefined });
});
