import { expect, test } from 'vitest';
import { calmScene, shoot, turn } from '../made-up.ts';
import { LateRenewals } from './late-renewals.ts';

/** An answer that came so long after it was asked for 100 ms before, and the renewal that it showed, in seconds. */
type Answer = readonly [at: number, renewed: number];

function lagAfter(answers: readonly Answer[], { ahead = 0, beginsAnewAt = Infinity, served = 0 } = {}): number {
  const late = new LateRenewals(calmScene(() => 0, {}, { shoots: [{ name: shoot, kubelets: { ahead } }] }));
  const told = (at: number, event: object): void =>
    late.shootTurn(turn(at, { event: { at, ...event } }) as Parameters<typeof late.shootTurn>[0]);
  for (const [at, renewed] of answers) {
    if (at >= beginsAnewAt) told(at * 1_000, { type: 'started' });
    const leases = [{ node: 'node-0', renewedAt: renewed * 1_000 + ahead }];
    const date = { date: at * 1_000 - served, sentAt: at * 1_000 - 100, receivedAt: at * 1_000 };
    told(at * 1_000, { type: 'probe.answered', askedAt: at * 1_000 - 100, leases, served: date });
  }
  return late.lagOf('prober-0', shoot, 'node-0');
}

const known: Answer = [1, 0];
const heldUp: readonly Answer[] = [
  [24, 0],
  [26, 10],
];

test.each<[string, readonly Answer[], number, Parameters<typeof lagAfter>[1]?]>([
  ['came in time', [known, [11, 10]], 0],
  [
    'held up: as well known as an answer that came a second after a renewal, and 25 s ago, tells',
    [known, ...heldUp],
    1_250,
  ],
  ['the same, shown again', [known, ...heldUp, [30, 10]], 1_250],
  ['no answer came soon after a renewal: it came after the last one without it', [[20, 0], ...heldUp], 13_900],
  ['written too soon after the one before', [known, [24, 0], [26, 7]], 1_250],
  ['the same, and shown so late that it is waited for longer', [known, [38, 0], [40, 10]], 12_000],
  ['late as the one before was', [known, ...heldUp, [38, 20]], 5_900],
  ['of a clock that is ahead', [known, ...heldUp], 1_250, { ahead: 4_000 }],
  ['shown first by a server whose clock is behind', [[24, 0]], 18_000, { served: 18_000 }],
  ['the same, but no younger than just shown', [[24, 20]], 4_000, { served: 18_000 }],
  ['shown to a process that began anew', [known, ...heldUp], 0, { beginsAnewAt: 25 }],
])('5.1 a renewal may seem younger than it is by what nobody can know: %s', (_, answers, lag, how) => {
  expect(lagAfter(answers, how)).toBe(lag);
});
