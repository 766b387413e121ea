import { expect, test } from 'vitest';
import { calmScene, changed, judged, path, prober, start } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { pacedWrites, recordsLast } from './thwarted.ts';

const write = (after: number): Observation => ({
  at: start + after,
  kind: 'request',
  process: prober,
  to: undefined,
  request: { method: 'PATCH', url: path, headers: {} },
});

test('6.8 a dependant that is written again and again without a pause is seen, and one that is written with growing pauses is not', () => {
  const hasty = Array.from({ length: 30 }, (_, index) => write(index * 25));
  expect(judged(pacedWrites, hasty)).toContain('19 times within 2000 ms');
  const patient = [0, 20, 270, 770, 1_770, 3_770, 7_770, 12_770].map(write);
  expect(judged(pacedWrites, patient)).toBe(undefined);
});

test('6.5 L1 a record that goes before the replicas are there is seen; one of 1 tells nothing, and what was up may be taken by a webhook', () => {
  const own = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' };
  const scene = calmScene(() => start, { dependants: [{ ref: own }] });
  const taken = (record: string, replicas: number, had = 0) => {
    const before = { replicas: had, mark: true, record } as const;
    return judged(recordsLast, [changed(1, before, { replicas }, { writer: prober })], scene);
  };
  expect(taken('2', 0)).toContain('took the record 2');
  expect(taken('2', 1)).toContain('which has 1 replicas');
  expect(taken('2', 2)).toBe(undefined);
  expect(taken('1', 0)).toBe(undefined);
  expect(taken('2', 0, 1)).toContain('took the record 2');
  expect(taken('2', 0, 2)).toBe(undefined);
});
