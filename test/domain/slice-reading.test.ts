import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSlice } from '../../src/domain/weeder/service-slices.ts';

const labels = { 'kubernetes.io/service-name': 'kube-apiserver' };
const slice = (endpoints: unknown) => readSlice({ metadata: { name: 'kube-apiserver-x', labels }, endpoints })?.view;

test('7.1 a slice belongs to the service that its label names', () => {
  expect(readSlice({ metadata: { labels }, endpoints: [{ addresses: ['10.0.0.1'] }] })).toMatchObject({
    service: 'kube-apiserver',
    view: { ready: 1, endpoints: 1 },
  });
  expect(readSlice({ metadata: { labels: { app: 'x' } }, endpoints: [] })).toBeUndefined();
  expect(readSlice({ metadata: { labels: { ...labels, 'kubernetes.io/service-name': '' } } })).toBeUndefined();
  expect(readSlice({ metadata: { labels: { 'kubernetes.io/service-name': 'x'.repeat(63) } } })).toBeDefined();
  expect(readSlice({ metadata: { labels: { 'kubernetes.io/service-name': 'x'.repeat(64) } } })).toBeUndefined();
  expect(readSlice({ metadata: {} })).toBeUndefined();
});

test('7.1 a slice that is being deleted is left out, whatever its endpoints say', () => {
  const endpoints = [{ conditions: { ready: true } }];
  const deletionTimestamp = '2026-11-29T12:00:00Z';
  expect(readSlice({ metadata: { labels, deletionTimestamp }, endpoints })).toBeUndefined();
  expect(readSlice({ metadata: { labels, deletionTimestamp: null }, endpoints })?.view).toMatchObject({ ready: 1 });
});

test('7.1 an endpoint that does not say whether it is ready is', () => {
  const ready = [{}, { conditions: null }, { conditions: {} }, { conditions: { ready: null } }];
  expect(slice([...ready, { conditions: { ready: true } }])).toMatchObject({ ready: 5, endpoints: 5 });
});

test('7.1 an endpoint that is not ready, or ends, is counted but not as ready', () => {
  const ending = { conditions: { ready: false, serving: true, terminating: true } };
  expect(slice([ending, { conditions: { ready: false } }, { conditions: { ready: 'yes' } }])).toEqual({
    ready: 0,
    endpoints: 3,
  });
});

test('7.1 an endpoint that is published though it does not serve is not ready', () => {
  const published = { conditions: { ready: true, serving: false, terminating: false } };
  expect(slice([published])).toEqual({ ready: 0, endpoints: 1 });
  expect(slice([published, { conditions: { ready: true, serving: true } }])).toMatchObject({ ready: 1, endpoints: 2 });
  expect(slice([{ conditions: { ready: true, serving: null } }])).toMatchObject({ ready: 1 });
});

test('7.1 a slice without endpoints has none, however it is written', () => {
  for (const endpoints of [undefined, null, [], {}, 'none', 7, [null, 3, 'x']])
    expect(slice(endpoints)).toEqual({ ready: 0, endpoints: 0 });
});

test('7.1 whatever comes in, it is read, and no more is ready than there is', () => {
  const anything = fc.anything({ maxDepth: 4 });
  const hostile = fc.oneof(
    anything,
    fc.record({
      metadata: fc.oneof(anything, fc.constant({ labels })),
      endpoints: fc.oneof(anything, fc.array(anything)),
    }),
  );
  fc.assert(
    fc.property(hostile, (object) => {
      const view = readSlice(object)?.view ?? { ready: 0, endpoints: 0 };
      expect(view.ready).toBeLessThanOrEqual(view.endpoints);
    }),
  );
});
