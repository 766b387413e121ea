import { describe, expect, test } from 'vitest';
import type { NodeView } from 'dependency-watchdog/domain/prober/candidates.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import { turnTitle } from '../../model/explanation/turn-title.ts';
import type { Explanation } from '../../model/explanation/explanation.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { AskedService, AskedShoot, factText, plain, probing } from './asked-turns.ts';

/** A shoot whose probe is under way. */
function asked(): AskedShoot {
  return probing(gardenerConfig, (shoot) => shoot.wakeProbe());
}

const node = (name: string, change: Partial<NodeView> = {}): NodeView => ({
  name,
  pool: 'pool',
  unmanaged: false,
  trueConditions: ['Ready'],
  inPlaceUpdate: false,
  ...change,
});

function leaseText({ node: name, silent, expired, counts, because }: Explanation['leases'][number]): string {
  return `${name} ${silent === null ? 'unknown' : silent / 1_000}${expired ? ' expired' : ''}${counts ? '' : `, out: ${because}`}`;
}

/** The driver calls its nodes a, b, node-2, node-3 … */
const ages: readonly (Millis | null)[] = [31_000, 40_000, 32_000, 33_000, 34_000, null, 35_000, 1_000];

test('5.2 9.7 a verdict is told lease by lease, the longest silent first, with the reason where one does not count', () => {
  const shoot = asked();
  shoot.leases(ages);
  shoot.candidates(
    ['a', 'b', 'node-2', 'node-5', 'node-6', 'node-7'].map((name) => ({
      node: name,
      phase: name === 'b' ? 'Terminating' : 'Running',
    })),
    undefined,
    [
      node('a'),
      node('b'),
      node('node-2', { unmanaged: true }),
      node('node-4'),
      node('node-5'),
      node('node-6', { trueConditions: ['DiskPressure'] }),
      node('node-7'),
      node('bare'),
    ],
  );
  const { leases, leasesLeftOut, decision } = shoot.explain();
  expect(leases.map(leaseText)).toEqual([
    'b 40 expired, out: Machine Terminating',
    'node-6 35 expired, out: DiskPressure',
    'node-4 34 expired, out: no Machine',
    'node-3 33 expired, out: no such node',
    'node-2 32 expired, out: not managed by the machine-controller-manager',
    'a 31 expired',
    'node-7 1',
    'node-5 unknown, out: no readable renewTime',
  ]);
  expect(leasesLeftOut).toBe(0);
  expect(decision.map(factText)).toEqual([
    'leases asked for: 1030532, now',
    'judged by: a grace of 40.0 s, a fraction of 60 %',
    'nodes and Machines: asked for in this probe',
    'nodes without a lease: bare',
    'could be cut off: 1059532, in 29.0 s',
    expect.stringMatching(/^next probe: \d+, in \d/),
    'thresholds: 1 to go down, 1 to go up',
  ]);
});

test('5.4 9.7 where an earlier look is gone by, its names are known and its reasons are not', () => {
  const shoot = asked();
  // They may expire within 9 s, so nodes and Machines are asked for already; the third node is none of them.
  shoot.leases([26_000, 26_000, 5_000]);
  shoot.candidates();
  shoot.wakeProbe();
  shoot.leases([30_000, 30_000, 2_000]);
  const { leases, decision } = shoot.explain();
  expect(leases.map(leaseText)).toEqual(['a 30 expired', 'b 30 expired', 'node-2 2, out: left out by the last look']);
  expect(decision.map(factText)).toContain('nodes and Machines: 1030532, 4.0 s ago');
});

test('5.1 9.7 a judgement by the shoot’s clock says so', () => {
  const shoot = asked();
  const { now } = shoot;
  const renewedAt = now + 60_000 - 2_000;
  shoot.take({
    type: 'probe.answered',
    at: now,
    number: shoot.probeNumber,
    askedAt: now,
    leases: [
      { node: 'a', renewedAt },
      { node: 'b', renewedAt },
    ],
    served: { date: now + 60_000, sentAt: now, receivedAt: now },
  });
  expect(shoot.explain().decision.map(factText)).toContain('the server’s clock: 60.5 s ahead');
});

test('9.7 a shoot of thousands has its first hundred leases told, and the others counted', () => {
  const shoot = asked();
  shoot.leases(Array.from({ length: 5_000 }, (_, index) => 1_000 + index));
  const { leases, leasesLeftOut } = shoot.explain();
  expect([leases.length, leasesLeftOut, leases[0]!.silent]).toEqual([100, 4_900, 5_999]);
});

describe('9.7 a turn without a verdict', () => {
  test.each<readonly [string, (shoot: AskedShoot) => unknown, readonly string[]]>([
    [
      'that failed tells of the next probe',
      (one) => one.probeFails(),
      ['failed in a row: 1', 'next probe: 1031532, in 1.0 s'],
    ],
    [
      'that was throttled tells for how long the shoot is left alone',
      (one) => one.probeFails({ reason: 'throttled', retryAfter: 20_000 }),
      ['failed in a row: 1', 'left alone until: 1050532, in 20.0 s', 'next probe: 1050532, in 20.0 s'],
    ],
    [
      'that pauses tells why',
      (one) => one.cluster({ hibernationEnabled: true }),
      ['paused: the shoot is hibernated', expect.stringMatching('next probe')],
    ],
    ['that wakes tells nothing more', (one) => one.wake(), []],
  ])('%s', (_, play, facts) => {
    const shoot = asked();
    play(shoot);
    const { decision, leases } = shoot.explain();
    expect(decision.map(factText)).toEqual(facts);
    expect(leases).toEqual([]);
  });
});

test('7.3 9.7 a turn of a service tells of its window and its pods', () => {
  const service = new AskedService();
  service.up();
  service.pods(Array.from({ length: 12 }, (_, index) => `p${index}`));
  service.answers('p0');
  expect(service.explain().decision.map(factText)).toEqual([
    'ready: 1 of 1 endpoint',
    'window ends: 1300000, in 5m00s',
    'crash-looping: 12: p0, p1, p2, p3, p4 and 7 more',
    'deletions under way: 10 of at most 10',
    'waiting for their turn: 1',
    'need no deletion any more: 1',
  ]);
});

describe('9.7 what cannot be asked again is said', () => {
  const base = {
    kind: 'shoot',
    subject: 'shoot--a',
    run: 'r',
    seq: 9,
    at: 5,
    commands: [],
    notes: [],
    to: 'probing',
  } as const;
  const input = { shoot: 'shoot--a', config: gardenerConfig, followed: false, chance: 1 };
  const woken = { type: 'woken', at: 5 } as const;
  const before = plain<ShootLanguage>(new AskedShoot(gardenerConfig).outcome);

  const rows: readonly (readonly [
    string,
    Partial<ReplayedTurn<ShootLanguage>['turn']>,
    typeof before | undefined,
    string,
  ])[] = [
    [
      'a turn before which nothing tells where the machine stood',
      { event: woken },
      undefined,
      'The journal does not tell where the machine stood before this turn, so no guard can be asked again. Later turns can, from the next snapshot on.',
    ],
    [
      'a start that comes out otherwise',
      { event: { type: 'started', at: 5, input } },
      undefined,
      'The machine begins here, and comes out otherwise than recorded.',
    ],
    [
      'an end',
      { event: { type: 'ended', at: 5, because: 'gone' } },
      before,
      'What it was for is gone: the runtime ends the machine, and no guard is asked.',
    ],
    [
      'an end by a bug',
      { event: { type: 'ended', at: 5, because: 'bug', error: 'x', during: woken } },
      before,
      'A bug of ours ended it: the runtime ends the machine, and no guard is asked.',
    ],
    [
      'an event at which this program fails',
      { event: { type: 'cluster.changed', at: 5, reading: { readable: true, cluster: null } } as never },
      before,
      expect.stringMatching(/^The machine of this program fails at this event: [^]*'deleting'/),
    ],
  ];

  test.each(rows)('%s', (_, change, stood, says) => {
    const turn = { ...base, ...change } as ReplayedTurn<ShootLanguage>['turn'];
    const told = explainTurn('shoot', {
      turn,
      replayed: { outcome: 'no beginning' },
      gap: false,
      before: stood,
      after: undefined,
    });
    expect(told).toMatchObject({ missing: says, guards: [], taken: [], changes: [], decision: [], leases: [] });
  });
});

/** Each condition of 7.3 in its order: its guard, with `no` before those that are not so, and the value that it saw. */
function conditions(service: AskedService): readonly string[] {
  return service
    .explain()
    .guards.filter(({ rules }) => rules.includes('7.3') || rules.includes('7.2'))
    .map(({ guard, answer, saw }) => `${answer ? '' : 'no: '}${guard}: ${saw.map(factText).join('; ')}`);
}

test('7.3 9.7 the turn that deletes a pod has each condition as a row, and was decided by all of them', () => {
  const service = new AskedService();
  service.up();
  expect(service.explain().decision.map(factText)).toContain(
    'crash-looping: not known yet: the pods are asked for now',
  );
  service.pod('a');
  expect(conditions(service)).toEqual([
    'crashLoops: its containers: main in CrashLoopBackOff',
    'isWindowOpen: window ends: 1300000, in 5m00s',
    'isUp: ready: 1 of 1 endpoint',
    'isOurs: it is left alone: no',
    'isPauseOver: pause: none: no pod that this one follows was deleted',
    'isUntouched: its deletion: not asked for',
    'hasRoom: under way: 0 of at most 10',
  ]);
  expect(service.explain().decidedBy).toHaveLength(7);
  expect(turnTitle('weeder', service.turns.at(-1)!)).toBe('Delete pod a (deletion 2)');
});

test.each<[name: string, story: (service: AskedService) => void, no: string]>([
  ['its service is down again', (one) => (one.down(), one.pod('a')), 'isUp: ready: 0 of 1 endpoint'],
  [
    'nothing controls it',
    (one) => one.pod('a', 'waiting', { spared: 'noController' }),
    'isOurs: it is left alone: nothing controls it, so nobody would make another one',
  ],
  [
    'its predecessor was deleted just before',
    (one) => (one.pod('a', 'waiting', { owner: 'kcm' }), one.pod('b', 'waiting', { owner: 'kcm', createdAt: one.now })),
    'isPauseOver: it may go: 1030000, in 30.0 s',
  ],
  [
    'its deletion is under way',
    (one) => (one.pod('a'), one.pod('a')),
    'isUntouched: its deletion: under way (deletion 2)',
  ],
  [
    'its deletion has failed',
    (one) => (one.pod('a'), one.fails('a'), one.pod('a')),
    'isUntouched: its deletion: failed 1 time, again in ',
  ],
  [
    'ten others are being deleted',
    (one) => one.pods(Array.from({ length: 11 }, (_, index) => `p${index}`)),
    'hasRoom: under way: 10 of at most 10',
  ],
])('7.3 9.7 a pod that stays has the condition that says no: %s', (_, story, no) => {
  const service = new AskedService();
  service.up();
  story(service);
  const others = conditions(service).filter((one) => one.startsWith('no: '));
  expect(others).toEqual([expect.stringContaining(`no: ${no}`)]);
  expect(service.explain().decidedBy).toEqual([]);
});
