import { describe, expect, test } from 'vitest';
import { begun, calmScene, changed, judged, path, prober, sent, start, turn } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import type { Scene } from '../scene.ts';
import { calmRequests, pace, quiet, restraint, withdrawnWrites } from './requests.ts';

const request = (method: string, url: string) => ({ method, url, headers: {} });
const asking = (at: number, { method, url }: ReturnType<typeof request>): Observation => sent(at, prober, method, url);
const raising = (at: number): Observation => sent(at, prober, 'PATCH', path, '{"spec":{"replicas":1}}');

const flowing = (at: number, aim: string | undefined): Observation =>
  turn(at, { after: { context: { flow: aim === undefined ? null : { aim } } } });
const write = changed(5_000, { replicas: 1 }, { replicas: 0, mark: true, record: '1' }, { writer: prober });

test('6.3 what was taken back does not go out: a write of the other way, of none, and of a machine that is no more', () => {
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), write])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(5_000, 'upAll'), write])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(2_000, 'upAll'), write])).toContain("turned to 'up'");
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), flowing(2_000, undefined), write])).toContain("'none'");
  const shoot = write.kind === 'change' ? (write.change.revision.object.metadata.namespace ?? '') : '';
  const webhook = { at: 0, kind: 'webhook holds replicas down', shoot, of: { length: 3_000 } };
  const changed: Observation = { at: 0, kind: 'happening', happening: webhook };
  expect(judged(withdrawnWrites, [changed, flowing(1_000, 'down'), flowing(2_000, 'upAll'), write])).toBe(undefined);
  const ended = turn(2_000, {
    event: { type: 'ended', because: 'gone' },
    after: { context: { flow: { aim: 'down' } } },
  });
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, write])).toContain("'ended'");
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, raising(2_000)])).toBe(undefined);
  expect(judged(withdrawnWrites, [flowing(1_000, 'down'), ended, raising(2_500)])).toContain('500 ms after');
});

const lowering = (at: number): Observation =>
  sent(at, prober, 'PATCH', path, '{"metadata":{"annotations":{"replicas":"1"}},"spec":{"replicas":0}}');

/** What the law says of so many requests. */
function asked(query: string): string | undefined {
  const listing = request('GET', `/api/v1/pods?${query}`);
  const many = Array.from({ length: 25 }, (_, index) => asking(index, listing));
  return judged(restraint, many, { startedAt: 0 });
}

describe('6.12 7.4 who is refused waits', () => {
  const throttled: Observation = {
    at: 1_000,
    kind: 'throttled',
    process: prober,
    request: request('PATCH', path),
    retryAfter: 5_000,
  };

  test('6.12 no scale-up goes out in the pause that a 429 asks for; the way down does, and the election has its own', () => {
    expect(judged(restraint, [throttled, raising(4_000)], { startedAt: 0 })).toContain('before the pause was over');
    expect(judged(restraint, [throttled, lowering(4_000)], { startedAt: 0 })).toBe(undefined);
    // It stood still, and had sent it before it found the answer.
    expect(judged(restraint, [throttled, raising(1_000)], { startedAt: 0 })).toBe(undefined);
    const before = { ...throttled, at: 500 };
    expect(judged(restraint, [before, throttled, raising(1_000)], { startedAt: 0 })).toContain(
      '4450 ms before the pause',
    );
    expect(judged(restraint, [throttled, raising(6_000)], { startedAt: 0 })).toBe(undefined);
    const lease = request('PUT', '/apis/coordination.k8s.io/v1/namespaces/garden/leases/one');
    expect(judged(restraint, [{ ...throttled, request: lease }, raising(4_000)], { startedAt: 0 })).toBe(undefined);
    const calm: Observation = { at: 3_000, kind: 'calm' };
    expect(judged(restraint, [throttled, calm, raising(4_000)], { startedAt: 0 })).toBe(undefined);
  });

  test('7.4 a watch that is opened again and again within a minute', () => {
    const watching = request('GET', '/api/v1/pods?watch=true');
    const many = Array.from({ length: 25 }, (_, index) => asking(index, watching));
    expect(judged(restraint, many.slice(1), { startedAt: 0 })).toBe(undefined);
    expect(judged(restraint, many, { startedAt: 0 })).toContain('25 times within a minute');
    // Each name has a stream of its own.
    const ofNames = ['a', 'b'].map((name) =>
      request('GET', `/api/v1/pods?watch=true&fieldSelector=metadata.name%3D${name}`),
    );
    expect(
      judged(
        restraint,
        ofNames.flatMap((one) => many.slice(1).map(({ at }) => asking(at - 1, one))),
        { startedAt: 0 },
      ),
    ).toBe(undefined);
  });

  test('7.4 a list that is begun again and again within a minute; its further pages, and a question for one object, are no beginning', () => {
    expect(asked('limit=100')).toContain('lists /api/v1/pods anew 25 times within a minute');
    expect(asked('limit=100&continue=x')).toBe(undefined);
    expect(asked('limit=1')).toBe(undefined);
  });
});

describe('4.6 no shoot is forgotten', () => {
  const config = { probeInterval: 10_000, initialDelay: 30_000, backoffJitterFactor: 0.2, probeTimeout: 30_000 };
  const probed = turn(0, { commands: [{ type: 'probe' }] });
  const lookAt = (now: number, ...history: Observation[]): string | undefined => {
    const inForce = begun(pace, { config, now: () => now } as never);
    for (const observation of history) inForce.hear(observation);
    return inForce.look();
  };

  test('4.6 a shoot that is not asked any more is seen; a pause of the probe, or of the process, is none', () => {
    expect(lookAt(112_000, probed)).toBe(undefined);
    expect(lookAt(112_001, probed)).toContain('has not asked');
    expect(lookAt(112_001, probed, turn(1_000, { to: 'idle' }))).toBe(undefined);
    const paused = { at: 1, kind: 'process', slot: 'prober-0', process: prober, did: 'paused' } as const;
    expect(lookAt(112_001, probed, paused)).toBe(undefined);
    expect(lookAt(250_000, probed, paused, { ...paused, at: 112_000, did: 'resumed' })).toContain('has not asked');
  });
});

/** What is found wrong where, after all has settled, each of these was asked for so often within a minute. */
const inCalm = async (times: number, ...urls: string[]): Promise<string | undefined> => {
  let now = start;
  const inForce = begun(
    calmRequests,
    calmScene(() => now),
  );
  const before = inForce.hear(sent(now, prober, 'GET', '/api/v1/pods?limit=50'));
  inForce.settled();
  const wrong = urls.flatMap((url) =>
    Array.from({ length: times }, () => inForce.hear(sent(now, prober, 'GET', url)) ?? []).flat(),
  );
  now += 60_000;
  return before ?? wrong[0] ?? (await inForce.quiet());
};

describe('1.2 a calm seed is left in peace', () => {
  test('1.2 a list breaks it, once all has settled', async () => {
    expect(await inCalm(1)).toBe(undefined);
    expect(await inCalm(1, '/api/v1/pods?limit=50')).toBe(`${prober} sent GET /api/v1/pods?limit=50`);
  });

  test('1.2 a watch may be opened anew, and not thirty times a minute', async () => {
    expect(await inCalm(30, '/api/v1/pods?watch=true')).toBe(undefined);
    expect(await inCalm(31, '/api/v1/pods?watch=true')).toContain('watches, 31 requests in 1.0 min');
  });
});

test('6.2 a write after all is as before is seen', () => {
  const inForce = begun(quiet, {} as Scene);
  const write = sent(1, prober, 'PATCH', path);
  expect(inForce.hear(write)).toBe(undefined);
  inForce.settled();
  expect(inForce.hear(write)).toContain('wrote');
});
