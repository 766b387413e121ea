import { describe, expect, test } from 'vitest';
import { begun, changed, claimed, judged, sent } from './made-up.ts';
import { noBugs } from './laws/no-bugs.ts';
import { onlyLeadersWrite } from './laws/only-leaders-write.ts';
import { quiet } from './laws/quiet.ts';
import { storeWrites } from './laws/store-writes.ts';
import type { Scene } from './scene.ts';

const dependant = '/apis/apps/v1/namespaces/shoot--demo--01/deployments/kube-controller-manager';
const electing = { plan: { election: true, replicas: { prober: 2, weeder: 0 }, clocks: { ahead: 0, drift: 0 } } };

const leading = (...history: Parameters<typeof judged>[1]) => judged(onlyLeadersWrite, history, electing);
const writingAt = (at: number) => leading(claimed(1_000, 'prober-0#1'), sent(at, 'prober-0#1', 'PATCH', dependant));
const writing = (...[before, after]: [Parameters<typeof changed>[1], Parameters<typeof changed>[2]]) =>
  judged(storeWrites, [changed(1, before, after, { writer: 'prober-0#1' })]);

describe('S6 only who holds the Lease writes', () => {
  test('S6 a leader may write until its renew deadline, and not at it', () => {
    expect(writingAt(10_999)).toBe(undefined);
    expect(writingAt(11_001)).toContain('after its last renewal');
  });

  test('S6 a standby, and a former leader, may read and stand for election, and not write', () => {
    const second = [claimed(1_000, 'prober-0#1'), claimed(2_000, 'prober-1#1')];
    expect(leading(...second, sent(2_001, 'prober-0#1', 'PATCH', dependant))).toContain('prober-1#1 held the Lease');
    expect(leading(...second, sent(2_001, 'prober-0#1', 'GET', dependant))).toBe(undefined);
    expect(leading(...second, sent(2_001, 'prober-0#1', 'PUT', '/apis/a/v1/namespaces/garden/leases/b'))).toBe(
      undefined,
    );
  });

  test('S6 nobody writes before a Lease was taken, or after it was given up', () => {
    expect(leading(sent(1, 'prober-0#1', 'PATCH', dependant))).toContain('nobody held the Lease');
    const released = [claimed(1, 'prober-0#1'), claimed(2, 'prober-0#1', '')];
    expect(leading(...released, sent(3, 'prober-0#1', 'PATCH', dependant))).toContain('nobody held the Lease');
  });
});

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

  test('S2 what is ignored loses its mark, and nothing else', () => {
    const ignored = { replicas: 0, mark: true, record: '2', ignored: true } as const;
    expect(writing(ignored, { replicas: 0, record: '2', ignored: true })).toBe(undefined);
    expect(writing(ignored, { replicas: 2, ignored: true })).toContain('it is ignored');
  });
});

test('no bugs: one that a machine met, and the program survived, is seen', () => {
  const turn = { subject: 'shoot--demo--01', event: { type: 'ended', because: 'bug', error: 'oh' } };
  expect(judged(noBugs, [{ at: 1, kind: 'turn', process: 'prober-0#1', turn } as never])).toContain('oh');
});

test('6.2 a write after all is as before is seen', () => {
  const inForce = begun(quiet, {} as Scene);
  const write = sent(1, 'prober-0#1', 'PATCH', dependant);
  expect(inForce.hear?.(write)).toBe(undefined);
  inForce.settled?.();
  expect(inForce.hear?.(write)).toContain('wrote');
});
