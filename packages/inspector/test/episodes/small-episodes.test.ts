import { expect, test } from 'vitest';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { ShootNote, ShootState } from 'dependency-watchdog/machines/shoot-language.ts';
import type { PresentResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { controllerManager } from '@dwd/testing/prober-configs.ts';
import { scaleOf } from '@dwd/testing/shoot-driver.ts';
import { present, shielded } from '@dwd/testing/views.ts';
import { episodesOf, linesOf } from './told-turns.ts';

const minute = 60_000;
const one = { count: 1, worst: [{ node: 'node-a', by: 80_000 }] };
const connected: ShootNote = { kind: 'verdict', verdict: 'connected', expired: 0, candidates: 5, looked: false };

type Hand = Readonly<{
  notes?: readonly ShootNote[];
  event?: ShootTurn['event'];
  from?: ShootState;
  to?: ShootState;
  commands?: ShootTurn['commands'];
}>;

/** Turns by hand, a minute from one to the next. The first is at midnight. */
function turnsOf(...hands: readonly Hand[]): readonly ShootTurn[] {
  return hands.map(({ notes = [], event, from, to = 'probing', commands = [] }, index) => ({
    kind: 'shoot',
    subject: 'shoot--a',
    seq: index + 1,
    at: index * minute,
    event: event ?? { type: 'woken', at: index * minute },
    from: event?.type === 'started' ? undefined : (from ?? 'probing'),
    to,
    commands,
    notes,
    before: undefined,
    after: undefined,
  }));
}

const says = (...notes: readonly ShootNote[]): Hand => ({ notes });
const bug: Hand = {
  event: {
    type: 'ended',
    at: 0,
    because: 'bug',
    error: 'TypeError: x is undefined\n    at decide (shoot.ts:1:1)\n    with eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
    during: { type: 'woken', at: 0 },
  },
};
const begins: Hand = { event: { type: 'started', at: 0, input: {} as never }, to: 'idle' };
const gone: Hand = { event: { type: 'ended', at: 0, because: 'gone' } };

const calm: Hand = says(connected);
const rest: Hand = { to: 'idle', notes: [{ kind: 'paused', reason: 'the shoot is hibernated' }] };
const sleeps = 'pause notable goes on: not probed from 00:01:00.0 on, because the shoot is hibernated';

/** A way up begins. */
const raises = (seen: PresentResource, notes: readonly ShootNote[] = [connected]): Hand => ({
  from: 'probing',
  to: 'scalingUp',
  notes,
  commands: [{ type: 'scale', params: scaleOf(controllerManager, { seen, change: { replicas: 2 }, urgent: false }) }],
});
const byOthers = raises(present({ replicas: 0 }));
const cutOff: ShootNote = {
  kind: 'verdict',
  verdict: 'cutOff',
  expired: 5,
  candidates: 5,
  looked: true,
  crossedAt: minute,
};

const cases: readonly Readonly<{ name: string; turns: readonly ShootTurn[]; tells: readonly string[] }>[] = [
  {
    name: 'a bug, until the machine begins afresh',
    turns: turnsOf(calm, bug, begins, calm),
    tells: [
      'bug bad: the work on it ended at 00:01:00.0, because of a bug of the watchdog at woken: TypeError: x is undefined; it began afresh 60 s later',
    ],
  },
  {
    name: 'a bug from which nothing has begun again',
    turns: turnsOf(bug),
    tells: [
      'bug bad goes on: the work on it ended at 00:00:00.0, because of a bug of the watchdog at woken: TypeError: x is undefined',
    ],
  },
  {
    name: 'a bug that comes again and again as two, the last one of many times',
    turns: turnsOf(bug, begins, bug, begins, bug, begins, bug),
    tells: [
      'bug bad: the work on it ended at 00:00:00.0, because of a bug of the watchdog at woken: TypeError: x is undefined; it began afresh 60 s later',
      'bug bad goes on: 3 times since 00:02:00.0, the last time: the work on it ended at 00:06:00.0, because of a bug of the watchdog at woken: TypeError: x is undefined',
    ],
  },
  {
    name: 'a probe that was never answered',
    turns: turnsOf(says({ kind: 'probeLost', number: 7 })),
    tells: ['bug bad: probe 7 had no answer at 00:00:00.0, not even a failure, because of a bug of the watchdog'],
  },
  {
    name: 'leases that are ahead of the time, until none is',
    turns: turnsOf(says(connected, { kind: 'leasesAhead', leases: one }), calm, says({ kind: 'leasesAheadOver' })),
    tells: [
      'oddLeases notable: at 00:00:00.0 1 lease is ahead of the time: node-a by 80.0 s; they are judged by when they were seen to move. Check the clocks of the nodes; over 2m00s later',
    ],
  },
  {
    name: 'a zone that is cut off, and another one as well from then on',
    turns: turnsOf(
      says({ kind: 'partialOutage', by: 'zone', groups: ['a'], expired: 2, nodes: 2, firstMarkAt: 9_000 }),
      says({ kind: 'partialOutage', by: 'zone', groups: ['a', 'b'], expired: 4, nodes: 4, firstMarkAt: 9_000 }),
    ),
    tells: [
      expect.stringMatching(
        /^partial bad: at 00:00:00.0 zone a is cut off: .*; renewed again 60 s later, and nodes of it may have been marked$/,
      ),
      expect.stringMatching(
        /^partial bad goes on: at 00:01:00.0 zones a, b are cut off: .* for a part, and nodes of it may have been marked$/,
      ),
    ],
  },
  {
    name: 'leases that nobody renews, until they are renewed',
    turns: turnsOf(says({ kind: 'leasesNotRenewed', leases: one }), says({ kind: 'leasesNotRenewedOver' })),
    tells: [
      'oddLeases notable: at 00:00:00.0 nobody renews 1 lease, though the nodes are Ready: node-a for 80.0 s. Check whether the machines run, whether their kubelets may renew leases, and whether the kube-controller-manager works; over 60 s later',
    ],
  },
  {
    name: 'early probes that are used up, of which nothing tells the end',
    turns: turnsOf(says({ kind: 'earlyProbesSpent' }), calm),
    tells: [
      'oddLeases notable: at 00:00:00.0 its leases are about to cross the threshold too often; it is probed on their account every 2 s at most',
    ],
  },
  {
    name: 'a clock that differs for as long as the verdicts say so',
    turns: turnsOf(
      says({ ...connected, clockAhead: 5_000 }, { kind: 'clockDiffers', ahead: 5_000 }),
      says({ ...connected, clockAhead: 5_000 }),
      calm,
    ),
    tells: ["oddLeases notable: at 00:00:00.0 the shoot's clock is 5.0 s ahead of ours; over 2m00s later"],
  },
  {
    name: 'the end of what was odd where the process begins again',
    turns: turnsOf(says({ kind: 'leasesAhead', leases: one }), begins),
    tells: [expect.stringMatching(/^oddLeases notable: .* over 60 s later$/)],
  },
  {
    name: 'the end of what was odd where the shoot rests',
    turns: turnsOf(says({ kind: 'leasesNotRenewed', leases: one }), rest),
    tells: [expect.stringMatching(/^oddLeases notable: .* over 60 s later$/), sleeps],
  },
  {
    name: 'what may not be read until the shoot is gone',
    turns: turnsOf(says({ kind: 'dependantRefused', key: controllerManager.key, detail: 'forbidden' }), calm, gone),
    tells: [
      'refusal grave: kube-controller-manager may not be read from 00:00:00.0 on, because the seed said: forbidden; nobody wanted it any more 2m00s later',
    ],
  },
  {
    name: 'an outage that began before it was seen',
    turns: turnsOf(calm, raises(shielded()), { from: 'scalingUp' }),
    tells: [
      'outage grave: found scaled down by the watchdog, and nobody saw since when; connected again at 00:01:00.0',
    ],
  },
  {
    name: 'no outage where a shoot that was never cut off gets back what somebody else had scaled to 0',
    turns: turnsOf(calm, byOthers, { from: 'scalingUp' }),
    tells: [],
  },
  {
    name: 'an outage that begins while such a one is raised, from its own begin on',
    turns: turnsOf(
      calm,
      byOthers,
      { from: 'scalingUp', to: 'leaseFailed', notes: [cutOff] },
      { from: 'leaseFailed', to: 'probing', notes: [connected] },
    ),
    tells: [
      'outage grave: cut off: 5 of 5 leases were expired, and the threshold was crossed at 00:01:00.0; nothing was scaled down; connected again at 00:03:00.0',
    ],
  },
  { name: 'nothing of a pause before the first probe', turns: turnsOf(begins, { ...rest, from: 'idle' }), tells: [] },
];

test.each(cases)('9.7 it tells $name', ({ turns, tells }) => {
  expect(linesOf(episodesOf(turns))).toEqual(tells);
});

test('9.4 9.7 no secret is told with a bug', () => {
  const [told] = episodesOf(turnsOf(bug));
  expect(JSON.stringify(told)).not.toContain('eyJ');
  expect(told!.lines).toEqual(['at decide (shoot.ts:1:1)', 'with [hidden]']);
});

test('9.7 each time of day that a sentence names is that of its beginning, its end, or a stage', () => {
  for (const { turns } of cases)
    for (const { sentence, beganAt, endedAt, stages } of episodesOf(turns)) {
      const clocks = [beganAt, endedAt ?? 0, ...stages.map(({ at }) => at)];
      const texts = clocks.map((at) => new Date(at).toISOString().slice(11, 21));
      for (const [text] of sentence.matchAll(/\d\d:\d\d:\d\d\.\d/g)) expect(texts).toContain(text);
    }
});
