import { describe, expect, test } from 'vitest';
import { begun, calmScene, changed, claimed, clusterSaid, judged, sent, type Told } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { calmRequests } from './calm-requests.ts';
import { clustersWord } from './clusters-word.ts';
import { handsOff } from './hands-off.ts';
import { levelOrder } from './level-order.ts';
import { noSpinning } from './no-spinning.ts';
import { onlyLeadersWrite } from './only-leaders-write.ts';

type ChangeSeen = Extract<Observation, { kind: 'change' }>;

const writer = 'prober-0#1';
const path = '/apis/apps/v1/namespaces/shoot--demo--01/deployments/kube-controller-manager';
const start = 1_000_000;
const lost: Observation = { at: start, kind: 'fault', name: 'seed: watch silent', process: 'prober-0' };
const word = clusterSaid(start, 'hibernated');

function writing(after: number, ...history: Observation[]): string | undefined {
  return judged(
    clustersWord,
    [...history, sent(start + after, writer, 'PATCH', path)],
    calmScene(() => start),
  );
}

describe('S3 no write against the word of the Cluster', () => {
  test('S3 a write is right until the news of a Cluster must have come', () => {
    expect(writing(400, word)).toBe(undefined);
    expect(writing(600, word)).toContain('600 ms after the Cluster had ruled it out');
    expect(writing(600, word, clusterSaid(start + 500, 'awake'))).toBe(undefined);
  });

  test('S3 where the stream was silent, or the process stood still, it takes longer, and not for ever', () => {
    expect(writing(60_000, word, lost)).toBe(undefined);
    expect(writing(120_001, word, lost)).toContain('had ruled it out');
    const resumed = { at: start + 90_000, kind: 'process', slot: 'prober-0', process: writer, did: 'resumed' } as const;
    expect(writing(90_100, word, resumed)).toBe(undefined);
  });

  test('S3 while Clusters may not be watched, a GET brings the word', () => {
    const refused = happened(-1_000, 'Clusters unwatchable');
    expect(writing(9_000, refused, asked(-500), word)).toBe(undefined);
    expect(writing(9_000, refused, word, asked(8_700))).toBe(undefined);
    expect(writing(9_000, refused, word, asked(8_000))).toContain('had ruled it out');
    expect(writing(200_000, refused, word, happened(100_000, 'seed well'))).toBe(undefined);
    expect(writing(221_000, refused, word, happened(100_000, 'seed well'))).toContain('had ruled it out');
  });

  test('S3 while nothing can be asked, nobody hears the word; what could be heard before that counts', () => {
    expect(writingOut({ from: 0, to: 200_000 }, 300_000)).toBe(undefined);
    expect(writingOut({ from: 0, to: 200_000 }, 321_000)).toContain('had ruled it out');
    expect(writingOut({ from: 125_000, to: 200_000 }, 150_000)).toContain('had ruled it out');
  });
});

const happened = (after: number, kind: string): Observation => ({
  at: start + after,
  kind: 'happening',
  happening: { at: after, kind },
});
const asked = (after: number) =>
  sent(start + after, writer, 'GET', '/apis/extensions.gardener.cloud/v1alpha1/clusters/shoot--demo--01');

/** A write so long after the word, with the way to the seed closed for a time. */
function writingOut(closed: Readonly<{ from: number; to: number }>, after: number): string | undefined {
  let age = 0;
  const scene = calmScene(() => start + age);
  const [slot] = scene.slots;
  const inForce = begun(clustersWord, scene);
  inForce.hear?.(word);
  for (; age < after; age += 1_000) {
    if (slot !== undefined) slot.links.seed.out = age >= closed.from && age < closed.to ? 'silent' : undefined;
    inForce.look?.();
  }
  return inForce.hear?.(sent(start + after, writer, 'PATCH', path));
}

const step = (level: number, initialDelay = 0) => ({ level, initialDelay, timeout: 30_000 });
const named = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });
const dependants = [
  { ref: named('machine-controller-manager'), scaleDown: step(0), scaleUp: step(1, 30_000) },
  { ref: named('kube-controller-manager'), scaleDown: step(1), scaleUp: step(0) },
];
const up: Told = { replicas: 1 };
const starting: Told = { replicas: 1, ready: 0 };
const down: Told = { replicas: 0, ready: 0, mark: true, record: '1' };
const ending: Told = { ...down, ready: 1 };

const mcm = (after: number, from: Told, to: Told) =>
  changed(start + after, from, to, { name: 'machine-controller-manager', writer });
const kcm = (after: number, from: Told, to: Told) => changed(start + after, from, to, { writer });
const ordered = (...history: Observation[]) =>
  judged(
    levelOrder,
    history,
    calmScene(() => start, { dependants }),
  );

/** It was a controller that wrote. */
function byController(observation: Observation): Observation {
  const { change } = observation as ChangeSeen;
  return { ...(observation as ChangeSeen), change: { ...change, writer: undefined } };
}

describe('S4 6.1 the levels keep their order in the store', () => {
  test('S4 a level goes down once the one before it is down, or late', () => {
    expect(ordered(mcm(0, up, ending), byController(mcm(300, ending, down)), kcm(400, up, ending))).toBe(undefined);
    expect(ordered(mcm(0, up, ending), kcm(400, up, ending))).toContain('scaled down kube-controller-manager');
    expect(ordered(mcm(0, up, ending), kcm(30_000, up, ending))).toBe(undefined);
  });

  test('S4 6.1 a flow goes on without what a fault made late, also where its process stood still meanwhile', () => {
    const fault: Observation = { at: start, kind: 'fault', name: 'seed: server status', process: 'prober-0' };
    const stood = (after: number, did: 'paused' | 'resumed'): Observation => {
      return { at: start + after, kind: 'process', slot: 'prober-0', process: writer, did };
    };
    const wellAgain = [byController(mcm(0, up, up)), fault];
    const paused = [...wellAgain, stood(20_000, 'paused'), stood(200_000, 'resumed')];
    expect(ordered(...wellAgain, kcm(200_400, up, ending))).toContain('scaled down kube-controller-manager');
    expect(ordered(...paused, kcm(200_400, up, ending))).toBe(undefined);
    expect(ordered(...paused, kcm(261_000, up, ending))).toContain('scaled down kube-controller-manager');
  });

  test('S4 6.1 a level comes up once the one before it is up, and its delay over', () => {
    const both = [mcm(0, up, down), kcm(400, up, down)];
    const raised = [...both, kcm(50_000, down, starting)];
    // Its Cluster ruled it out for a moment: the flow after it has written nothing.
    const turn = { kind: 'shoot', subject: 'shoot--demo--01', to: 'idle' };
    const rested = { at: start + 51_000, kind: 'turn', process: writer, turn } as never;
    const ready = byController(kcm(60_000, starting, up));
    expect(ordered(...both, mcm(50_000, down, starting))).toContain('scaled up machine-controller-manager');
    expect(ordered(...raised, mcm(55_000, down, starting))).toContain('0 ready');
    expect(ordered(...raised, rested, mcm(55_000, down, starting))).toBe(undefined);
    expect(ordered(...raised, ready, mcm(75_000, down, starting))).toContain('15000 ms after');
    expect(ordered(...raised, ready, mcm(90_001, down, starting))).toBe(undefined);
  });
});

test('1.2 4.6 a process that spins is seen', () => {
  const turn = { at: start, kind: 'turn', process: writer, turn: { subject: 'shoot--demo--01' } } as never;
  const taken = (turns: number, largeControlPlanes: boolean): string | undefined =>
    judged(
      noSpinning,
      Array.from({ length: turns }, () => turn),
      { plan: { largeControlPlanes } },
    );
  expect(taken(100, false)).toBe(undefined);
  expect(taken(101, false)).toContain('101 turns within a second');
  expect(taken(1_000, true)).toBe(undefined);
  expect(taken(1_001, true)).toContain('1001 turns within a second');
});

function staying(after: number, ...history: Observation[]): string | undefined {
  const inForce = begun(
    handsOff,
    calmScene(() => start + after),
  );
  const ignored = changed(start, { replicas: 0, mark: true }, { replicas: 0, mark: true, ignored: true });
  for (const observation of [ignored, ...history]) inForce.hear?.(observation);
  return inForce.look?.();
}

test('6.7 a mark that stays on what is ignored is seen, unless something kept the prober from its work', () => {
  expect(staying(80_000)).toBe(undefined);
  expect(staying(90_000)).toContain('has borne a mark for 90000 ms');
  expect(staying(90_000, lost)).toBe(undefined);
});

/** prober-0 leads, the Lease goes back a second later, and prober-1 takes it after some time. */
function takenAfter(wait: number): string | undefined {
  const led = claimed(1_000, 'prober-0#1') as ChangeSeen;
  const taken = claimed(2_000 + wait, 'prober-1#1') as ChangeSeen;
  const wentBack = byController(claimed(2_000, 'prober-0#1'));
  const over = { ...taken, change: { ...taken.change, previous: led.change.revision } };
  const electing = { plan: { election: true, replicas: { prober: 2, weeder: 0 }, clocks: { ahead: 0, drift: 0 } } };
  return judged(onlyLeadersWrite, [led, wentBack, over], electing);
}

test('S6 8 a Lease that went back is taken by another no sooner than a lease duration later', () => {
  expect(takenAfter(14_000)).toContain('14000 ms after it went back');
  expect(takenAfter(15_001)).toBe(undefined);
});

/** What is found wrong where, after all has settled, each of these was asked for so often within a minute. */
const inCalm = (times: number, ...urls: string[]): string | undefined => {
  let now = start;
  const inForce = begun(
    calmRequests,
    calmScene(() => now),
  );
  const before = inForce.hear?.(sent(now, writer, 'GET', '/api/v1/pods?limit=50'));
  inForce.settled?.();
  const wrong = urls.flatMap((url) =>
    Array.from({ length: times }, () => inForce.hear?.(sent(now, writer, 'GET', url)) ?? []).flat(),
  );
  now += 60_000;
  return before ?? wrong[0] ?? (inForce.quiet?.() as string | undefined);
};

describe('1.2 a calm seed is left in peace', () => {
  test('1.2 a list breaks it, once all has settled', () => {
    expect(inCalm(1)).toBe(undefined);
    expect(inCalm(1, '/api/v1/pods?limit=50')).toBe(`${writer} sent GET /api/v1/pods?limit=50`);
  });

  test('1.2 a watch may be opened anew, and not thirty times a minute', () => {
    expect(inCalm(30, '/api/v1/pods?watch=true')).toBe(undefined);
    expect(inCalm(31, '/api/v1/pods?watch=true')).toContain('watches, 31 requests in 1.0 min');
  });
});
