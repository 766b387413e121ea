import { describe, expect, test } from 'vitest';
import { changed, claimed, judged } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { leaseProtocol } from './lease-protocol.ts';
import { ownAnswers } from './own-answers.ts';
import { restraint } from './restraint.ts';
import { toldOnce } from './told-once.ts';
import { withdrawnWrites } from './withdrawn-writes.ts';

const process = 'prober-0#1';
const subject = 'shoot--demo--01';
const scene = { startedAt: 0 };

function turn(at: number, more: object): Observation {
  const taken = {
    kind: 'shoot',
    subject,
    from: 'probing',
    to: 'probing',
    event: { type: 'woken' },
    commands: [],
    notes: [],
  };
  return { at, kind: 'turn', process, turn: { ...taken, ...more } } as never;
}

/** Where the one before it is what the Lease showed. */
function leases(...history: readonly Observation[]): readonly Observation[] {
  return history.map((one, index) => {
    const before = history[index - 1];
    if (one.kind !== 'change' || before?.kind !== 'change') return one;
    return { ...one, change: { ...one.change, previous: before.change.revision } };
  });
}

describe('S6 8 a Lease is let go by its holder, and taken when it has run out', () => {
  test('S6 8 a Lease of another is taken after 15 s, or once it was let go', () => {
    const first = claimed(0, process);
    expect(judged(leaseProtocol, leases(first, claimed(15_000, 'prober-1#1')))).toBe(undefined);
    expect(judged(leaseProtocol, leases(first, claimed(14_000, 'prober-1#1')))).toContain('14000 ms after');
    expect(judged(leaseProtocol, leases(first, claimed(5_000, process, ''), claimed(6_000, 'prober-1#1')))).toBe(
      undefined,
    );
  });

  test('S6 8 a backup that shows the name of one who held the Lease before does not give it back at once', () => {
    const history = [claimed(0, process), claimed(20_000, 'prober-1#1'), claimed(21_000, process)];
    const [first, second, third] = leases(...history) as [Observation, Observation, Observation];
    const shown = third.kind === 'change' && first.kind === 'change' ? first.change.revision : undefined;
    const again = { ...third, change: { ...(third as { change: object }).change, previous: shown } } as Observation;
    expect(judged(leaseProtocol, [first, second, again])).toContain('1000 ms after prober-1#1');
  });

  test('8 a renewal is no transition', () => {
    const counted = claimed(2_000, process, process, 1);
    expect(judged(leaseProtocol, leases(claimed(0, process), claimed(2_000, process)))).toBe(undefined);
    expect(judged(leaseProtocol, leases(claimed(0, process), counted))).toContain('counted a transition');
  });

  test('S6 8 who does not hold a Lease does not let it go', () => {
    expect(judged(leaseProtocol, leases(claimed(0, process), claimed(5_000, 'prober-1#1', '')))).toContain(
      'let the Lease',
    );
  });
});

const request = (method: string, url: string, body?: string) => ({ method, url, headers: {}, body });
const sent = (at: number, asked: ReturnType<typeof request>): Observation => ({
  at,
  kind: 'request',
  process,
  to: undefined,
  request: asked,
});
const raising = request('PATCH', '/apis/apps/v1/namespaces/shoot--demo--01/deployments/two', '{"spec":{"replicas":1}}');

const flowing = (at: number, aim: string | undefined): Observation =>
  turn(at, { after: { context: { flow: aim === undefined ? null : { aim } } } });
const write = changed(5_000, { replicas: 1 }, { replicas: 0, mark: true, record: '1' }, { writer: process });

test('6.3 what was taken back does not go out: a write of the other way, of none, and of a machine that is no more', () => {
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), write])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(5_000, 'upAll'), write])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(2_000, 'upAll'), write])).toContain("turned to 'up'");
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(2_000, undefined), write])).toContain("'none'");
  const ended = turn(2_000, {
    event: { type: 'ended', because: 'gone' },
    after: { context: { flow: { aim: 'down' } } },
  });
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, write])).toContain("'ended'");
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, sent(2_000, raising)])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, sent(2_500, raising)])).toContain('500 ms after');
});

const key = 'Deployment/kube-controller-manager';
const scaling = (at: number, resourceVersion: string): Observation =>
  turn(at, { commands: [{ type: 'scale', params: { key, seen: { resourceVersion } } }] });
const answered = turn(2, {
  event: { type: 'scale.answered', asked: { key }, answer: { outcome: 'written', view: { resourceVersion: '7' } } },
});
const told = (event: object): Observation => turn(3, { event });

test('6.6 what a write was answered is not forgotten, unless a GET or the history of the seed says otherwise', () => {
  expect(judged(ownAnswers, [scaling(1, '5'), answered, scaling(4, '7')])).toBe(undefined);
  expect(judged(ownAnswers, [scaling(1, '5'), answered, scaling(4, '6')])).toContain('7 had been answered');
  const rewound = told({ type: 'dependant.changed', key, rewound: true });
  expect(judged(ownAnswers, [answered, rewound, scaling(4, '6')])).toBe(undefined);
  const read = told({ type: 'read.answered', asked: { key } });
  expect(judged(ownAnswers, [answered, read, scaling(4, '6')])).toBe(undefined);
});

const lowering = { ...raising, body: '{"metadata":{"annotations":{"replicas":"1"}},"spec":{"replicas":0}}' };

/** What the law says of so many requests. */
function asked(query: string): string | undefined {
  const listing = request('GET', `/api/v1/pods?${query}`);
  const many = Array.from({ length: 25 }, (_, index) => sent(index, listing));
  return judged(restraint, many, scene);
}

describe('6.12 7.4 who is refused waits', () => {
  const throttled: Observation = { at: 1_000, kind: 'throttled', process, request: raising, retryAfter: 5_000 };

  test('6.12 no scale-up goes out in the pause that a 429 asks for; the way down does, and the election has its own', () => {
    expect(judged(restraint, [throttled, sent(4_000, raising)], scene)).toContain('before the pause was over');
    expect(judged(restraint, [throttled, sent(4_000, lowering)], scene)).toBe(undefined);
    // It stood still, and had sent it before it found the answer.
    expect(judged(restraint, [throttled, sent(1_000, raising)], scene)).toBe(undefined);
    const before = { ...throttled, at: 500 };
    expect(judged(restraint, [before, throttled, sent(1_000, raising)], scene)).toContain('4450 ms before the pause');
    expect(judged(restraint, [throttled, sent(6_000, raising)], scene)).toBe(undefined);
    const lease = request('PUT', '/apis/coordination.k8s.io/v1/namespaces/garden/leases/one');
    expect(judged(restraint, [{ ...throttled, request: lease }, sent(4_000, raising)], scene)).toBe(undefined);
    const calm: Observation = { at: 3_000, kind: 'calm' };
    expect(judged(restraint, [throttled, calm, sent(4_000, raising)], scene)).toBe(undefined);
  });

  test('7.4 a watch that is opened again and again within a minute', () => {
    const watching = request('GET', '/api/v1/pods?watch=true');
    const many = Array.from({ length: 25 }, (_, index) => sent(index, watching));
    expect(judged(restraint, many.slice(1), scene)).toBe(undefined);
    expect(judged(restraint, many, scene)).toContain('25 times within a minute');
    // Each name has a stream of its own.
    const ofNames = ['a', 'b'].map((name) =>
      request('GET', `/api/v1/pods?watch=true&fieldSelector=metadata.name%3D${name}`),
    );
    expect(
      judged(
        restraint,
        ofNames.flatMap((one) => many.slice(1).map(({ at }) => sent(at - 1, one))),
        scene,
      ),
    ).toBe(undefined);
  });

  test('7.4 a list that is begun again and again within a minute; its further pages, and a question for one object, are no beginning', () => {
    expect(asked('limit=100')).toContain('lists /api/v1/pods anew 25 times within a minute');
    expect(asked('limit=100&continue=x')).toBe(undefined);
    expect(asked('limit=1')).toBe(undefined);
  });
});

const heard = (event: object): Observation => turn(0, { event });

describe('3.5 what did not change is not told', () => {
  const reading = { readable: true, cluster: { hibernated: false } };
  const [changed, live] = [
    { type: 'cluster.changed', reading },
    { type: 'cluster.watched', live: true },
  ];

  test('3.5 a Cluster is told twice where it is not the same, or where its stream was out', () => {
    const other = { ...changed, reading: { ...reading, cluster: { hibernated: true } } };
    expect(judged(toldOnce, [live, changed, other].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, { ...live, live: false }, changed, live].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, { type: 'started' }, live, changed].map(heard))).toBe(undefined);
    expect(judged(toldOnce, [live, changed, changed].map(heard))).toContain(
      'was told of a Cluster that did not change',
    );
  });
});
