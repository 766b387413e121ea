import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEndpoints, readSlice } from '../../src/domain/weeder/service-slices.ts';

const metadata = { name: 'kube-apiserver' };
const viewOf = (subsets: unknown) => readEndpoints({ metadata, subsets })?.view;
const at = (ip: string, uid?: string) => ({ ip, ...(uid === undefined ? {} : { targetRef: { kind: 'Pod', uid } }) });

test('7.6 Endpoints belong to the service whose name they bear, whatever their labels say', () => {
  const labels = { 'kubernetes.io/service-name': 'another' };
  expect(readEndpoints({ metadata: { ...metadata, labels } })).toEqual({
    service: 'kube-apiserver',
    view: { ready: 0, endpoints: 0 },
  });
  expect(readEndpoints({ metadata: { name: 'x'.repeat(63) } })).toBeDefined();
  for (const name of [undefined, null, '', 7, 'x'.repeat(64)])
    expect(readEndpoints({ metadata: { name } })).toBeUndefined();
  expect(readEndpoints('nothing')).toBeUndefined();
});

test('7.6 Endpoints that are being deleted are left out', () => {
  const subsets = [{ addresses: [at('10.0.0.1')] }];
  const deletionTimestamp = '2026-11-29T12:00:00Z';
  expect(readEndpoints({ metadata: { ...metadata, deletionTimestamp }, subsets })).toBeUndefined();
  expect(readEndpoints({ metadata: { ...metadata, deletionTimestamp: null }, subsets })?.view.ready).toBe(1);
});

const counted: readonly (readonly [string, unknown, number, number])[] = [
  ['one address that is ready', [{ addresses: [at('10.0.0.1')] }], 1, 1],
  ['one that is not', [{ notReadyAddresses: [at('10.0.0.1')] }], 0, 1],
  ['both in one subset', [{ addresses: [at('10.0.0.1')], notReadyAddresses: [at('10.0.0.2')] }], 1, 2],
  ['both in two subsets', [{ addresses: [at('10.0.0.1')] }, { notReadyAddresses: [at('10.0.0.2')] }], 1, 2],
  [
    'one address in two subsets, for two ports',
    [{ addresses: [at('10.0.0.1')] }, { addresses: [at('10.0.0.1')] }],
    1,
    1,
  ],
  [
    'one that is ready for one port and not for the other',
    [{ notReadyAddresses: [at('10.0.0.1')] }, { addresses: [at('10.0.0.1')] }],
    1,
    1,
  ],
  ['two Pods of one address, one after the other', [{ addresses: [at('10.0.0.1', 'a'), at('10.0.0.1', 'b')] }], 2, 2],
  ['nulls for lists', [{ addresses: null, notReadyAddresses: null }], 0, 0],
  [
    'subsets that nobody could have written',
    [null, 7, 'x', [], { addresses: 'x' }, { addresses: [null, 3, 'x'] }],
    0,
    0,
  ],
  ['a text for the subsets', 'none', 0, 0],
  ['an object for the subsets', { addresses: [at('10.0.0.1')] }, 0, 0],
  ['no subsets', undefined, 0, 0],
];

test.each(counted)('7.6 Endpoints with %s are counted', (_, subsets, ready, endpoints) => {
  expect(viewOf(subsets)).toMatchObject({ ready, endpoints });
  expect(Object.keys(viewOf(subsets) ?? {}).includes('readyHash')).toBe(ready > 0);
});

test('7.6 truncated Endpoints are read as far as they go', () => {
  const annotations = { 'endpoints.kubernetes.io/over-capacity': 'truncated' };
  const addresses = Array.from({ length: 1_000 }, (_, index) => at(`10.0.${index >> 8}.${index & 255}`, `u${index}`));
  expect(readEndpoints({ metadata: { ...metadata, annotations }, subsets: [{ addresses }] })?.view).toMatchObject({
    ready: 1_000,
    endpoints: 1_000,
  });
});

const places = fc.uniqueArray(fc.tuple(fc.ipV4(), fc.option(fc.uuid(), { nil: undefined }), fc.boolean()), {
  maxLength: 8,
  selector: ([ip]) => ip,
});

test('7.6 the same endpoints give the same view by either kind, and so a change of the kind looks like none', () => {
  fc.assert(
    fc.property(places, fc.nat(7), (all, cut) => {
      const labels = { 'kubernetes.io/service-name': 'kube-apiserver' };
      const endpoints = all.map(([ip, uid, ready]) => {
        return { addresses: [ip], conditions: { ready }, ...(uid === undefined ? {} : { targetRef: { uid } }) };
      });
      const subset = (part: typeof all) => ({
        addresses: part.filter(([, , ready]) => ready).map(([ip, uid]) => at(ip, uid)),
        notReadyAddresses: part.filter(([, , ready]) => !ready).map(([ip, uid]) => at(ip, uid)),
      });
      const subsets = [subset(all.slice(cut)), subset(all.slice(0, cut))];
      expect(viewOf(subsets)).toEqual(readSlice({ metadata: { labels }, endpoints })?.view);
    }),
  );
});

test('7.6 whatever comes in, it is read, and no more is ready than there is', () => {
  const anything = fc.anything({ maxDepth: 4 });
  const lists = fc.record({ addresses: fc.array(anything), notReadyAddresses: fc.array(anything) });
  fc.assert(
    fc.property(fc.oneof(anything, fc.array(fc.oneof(anything, lists))), (subsets) => {
      const view = viewOf(subsets) ?? { ready: 1, endpoints: 0 };
      expect(view.ready).toBeLessThanOrEqual(view.endpoints);
    }),
  );
});
