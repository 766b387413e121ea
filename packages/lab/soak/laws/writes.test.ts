import { describe, expect, test } from 'vitest';
import { begun, byController, calmScene, changed, judged, prober, start, turn, type StoodAs } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { handsOff } from './healing.ts';
import { levelOrder, storeWrites } from './writes.ts';

const stored = (...history: Observation[]) =>
  judged(
    storeWrites,
    history,
    calmScene(() => start),
  );
const writing = (...[before, after]: [Parameters<typeof changed>[1], Parameters<typeof changed>[2]]) =>
  stored(changed(start, before, after, { writer: prober }));

describe('S2 S5 6.4 6.5 what a write leaves in the store', () => {
  test('S5 no 0 without a mark, without a record, or with a record that says nothing', () => {
    expect(writing({ replicas: 2 }, { replicas: 0, mark: true, record: '2' })).toBe(undefined);
    expect(writing({ replicas: 2 }, { replicas: 0, record: '2' })).toContain('0 without mark and record');
    expect(writing({ replicas: 2 }, { replicas: 0, mark: true })).toContain('0 without mark and record');
    expect(writing({ replicas: 2 }, { replicas: 0, mark: true, record: '0' })).toContain('0 without mark and record');
  });

  test('6.4 6.5 the replicas that were there are recorded, and come back', () => {
    expect(writing({ replicas: 2 }, { replicas: 0, mark: true, record: '1' })).toContain('the record is another');
    const kept = { replicas: 2, mark: true, record: '3' } as const;
    expect(writing(kept, { ...kept, replicas: 0 })).toBe(undefined);
    expect(writing(kept, { ...kept, replicas: 0, record: '2' })).toContain('the record is another');
    expect(writing({ replicas: 0, mark: true, record: '3' }, { replicas: 3 })).toBe(undefined);
    expect(writing({ replicas: 0, mark: true, record: '3' }, { replicas: 1 })).toContain('not what was recorded');
    expect(writing({ replicas: 0, mark: true, record: 'x' }, { replicas: 1 })).toBe(undefined);
    expect(writing({ replicas: 2 }, { replicas: 3 })).toContain('neither down nor up');
  });

  test('6.5 6.8 a 0 without a mark becomes 1, unless an answer was lost that would tell whose it is', () => {
    const [hands, back] = [{ replicas: 0 }, { replicas: 2, mark: true, record: '2' }] as const;
    const fault: Observation = { at: start, kind: 'fault', name: 'seed: server status', process: 'prober-0' };
    const writes = (after: number) => changed(start + after, hands, back, { writer: prober });
    expect(writing(hands, { replicas: 1 })).toBe(undefined);
    expect(writing(hands, back)).toContain('not what was recorded');
    expect(stored(fault, writes(60_000))).toBe(undefined);
    expect(stored(fault, writes(300_000))).toContain('not what was recorded');
  });

  test('S2 what is ignored loses its mark, and nothing else', () => {
    const ignored = { replicas: 0, mark: true, record: '2', ignored: true } as const;
    expect(writing(ignored, { replicas: 0, record: '2', ignored: true })).toBe(undefined);
    expect(writing(ignored, { replicas: 2, ignored: true })).toContain('it is ignored');
  });
});

const step = (level: number, initialDelay = 0) => ({ level, initialDelay, timeout: 30_000 });
const named = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });
const dependants = [
  { ref: named('machine-controller-manager'), scaleDown: step(0), scaleUp: step(1, 30_000) },
  { ref: named('kube-controller-manager'), scaleDown: step(1), scaleUp: step(0) },
];
const up: StoodAs = { replicas: 1 };
const starting: StoodAs = { replicas: 1, ready: 0 };
const down: StoodAs = { replicas: 0, ready: 0, mark: true, record: '1' };
const ending: StoodAs = { ...down, ready: 1 };

const mcm = (after: number, from: StoodAs, to: StoodAs) =>
  changed(start + after, from, to, { name: 'machine-controller-manager', writer: prober });
const kcm = (after: number, from: StoodAs, to: StoodAs) => changed(start + after, from, to, { writer: prober });
const ordered = (...history: Observation[]) =>
  judged(
    levelOrder,
    history,
    calmScene(() => start, { dependants }),
  );

const stood = (after: number, did: 'paused' | 'resumed'): Observation => ({
  at: start + after,
  kind: 'process',
  slot: 'prober-0',
  process: prober,
  did,
});

describe('S4 6.1 the levels keep their order in the store', () => {
  test('S4 a level goes down once the one before it is down, or late', () => {
    expect(ordered(mcm(0, up, ending), byController(mcm(300, ending, down)), kcm(400, up, ending))).toBe(undefined);
    expect(ordered(mcm(0, up, ending), kcm(400, up, ending))).toContain('scaled down kube-controller-manager');
    expect(ordered(mcm(0, up, ending), kcm(30_000, up, ending))).toBe(undefined);
  });

  test('6.1 the second for which a level is waited begins when it is first to be written, not when the seed has it', () => {
    const scale = { type: 'scale', params: { ref: named('machine-controller-manager') } };
    const decided = turn(start, { to: 'scalingDown', commands: [scale] });
    const again = turn(start + 30, { to: 'scalingDown', commands: [scale] });
    const down = mcm(40, up, ending);
    expect(ordered(decided, again, down, kcm(1_000, up, ending))).toBe(undefined);
    expect(ordered(decided, again, down, kcm(900, up, ending))).toContain('scaled down kube-controller-manager');
    expect(ordered(down, kcm(1_000, up, ending))).toContain('scaled down kube-controller-manager');
  });

  test('S4 6.1 a flow goes on without what a fault made late, also where its process stood still meanwhile', () => {
    const fault: Observation = { at: start, kind: 'fault', name: 'seed: server status', process: 'prober-0' };
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
    const idle = { kind: 'shoot', subject: 'shoot--demo--01', to: 'idle' };
    const rested = { at: start + 51_000, kind: 'turn', process: prober, turn: idle } as never;
    const ready = byController(kcm(60_000, starting, up));
    expect(ordered(...both, mcm(50_000, down, starting))).toContain('scaled up machine-controller-manager');
    expect(ordered(...raised, mcm(55_000, down, starting))).toContain('0 ready');
    expect(ordered(...raised, rested, mcm(55_000, down, starting))).toBe(undefined);
    expect(ordered(...raised, ready, mcm(75_000, down, starting))).toContain('15000 ms after');
    expect(ordered(...raised, ready, mcm(90_001, down, starting))).toBe(undefined);
  });
});

const lost: Observation = { at: start, kind: 'fault', name: 'seed: watch silent', process: 'prober-0' };

function staying(after: number, ...history: Observation[]): string | undefined {
  const inForce = begun(
    handsOff,
    calmScene(() => start + after),
  );
  const ignored = changed(start, { replicas: 0, mark: true }, { replicas: 0, mark: true, ignored: true });
  for (const observation of [ignored, ...history]) inForce.hear(observation);
  return inForce.look();
}

test('6.7 a mark that stays on what is ignored is seen, unless something kept the prober from its work', () => {
  expect(staying(80_000)).toBe(undefined);
  expect(staying(90_000)).toContain('has borne a mark for 90000 ms');
  expect(staying(90_000, lost)).toBe(undefined);
});
