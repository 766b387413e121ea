import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { joined, readSlice, type Slices, mayHaveFailed } from '../../src/domain/weeder/service-slices.ts';

const labels = { 'kubernetes.io/service-name': 'kube-apiserver' };

type Endpoint = Readonly<{ address: string; uid?: string; ready?: boolean }>;

function slicesOf(...slices: readonly (readonly Endpoint[])[]): Slices {
  const views = slices.map((endpoints, index) => {
    const written = endpoints.map(({ address, uid, ready }) => ({
      addresses: [address],
      ...(ready === undefined ? {} : { conditions: { ready } }),
      ...(uid === undefined ? {} : { targetRef: { kind: 'Pod', uid } }),
    }));
    return [`slice-${index}`, readSlice({ metadata: { labels }, endpoints: written })!.view] as const;
  });
  return Object.fromEntries(views);
}

const one = { address: '10.0.0.1', uid: 'u1' };
const two = { address: '10.0.0.2', uid: 'u2' };
const before = slicesOf([one, two]);
const since = 1_000;

test.each([
  ['the same endpoints', [[one, two]], false],
  ['the same endpoints in another order', [[two, one]], false],
  ['the same endpoints in two slices', [[two], [one]], false],
  ['and one that is not ready', [[one, two, { ...one, address: '10.0.0.3', ready: false }]], false],
  ['another Pod at the same address', [[one, { ...two, uid: 'u3' }]], true],
  ['the same Pod at another address', [[one, { ...two, address: '10.0.0.3' }]], true],
  ['one endpoint less', [[one]], true],
  ['one endpoint that is not ready any more', [[one, { ...two, ready: false }]], true],
  ['one endpoint more', [[one, two, { address: '10.0.0.3' }]], true],
] as const)('7.2 after a short gap %s: %j, it may have failed: %s', (_, now, may) => {
  expect(mayHaveFailed(before, slicesOf(...now), { since }, since + 10_000)).toBe(may);
});

test('7.2 after a gap of more than 10 s, or in a restored seed, it may have failed whatever the slices show', () => {
  expect(mayHaveFailed(before, before, { since }, since + 10_000)).toBe(false);
  expect(mayHaveFailed(before, before, { since }, since + 10_001)).toBe(true);
  expect(mayHaveFailed(before, before, { since, rewound: true }, since)).toBe(true);
});

test('7.2 where nothing was missed, or the service is down now, it did not fail unseen', () => {
  expect(mayHaveFailed(before, slicesOf([two]), undefined, since + 60_000)).toBe(false);
  expect(mayHaveFailed(before, slicesOf([]), { since, rewound: true }, since + 60_000)).toBe(false);
});

test('7.1 several slices are one with the endpoints of all', () => {
  const none = { ready: 0, endpoints: 4 };
  const slices = { a: { ready: 1, endpoints: 3, readyHash: 5 }, b: none, c: { ready: 2, endpoints: 2, readyHash: 7 } };
  expect(joined(slices)).toEqual({ ready: 3, endpoints: 9, readyHash: 12 });
});

test('7.2 endpoints that differ have another hash, wherever they stand', () => {
  const endpoint = fc.record({ address: fc.ipV4(), uid: fc.uuid() });
  fc.assert(
    fc.property(fc.uniqueArray(endpoint, { minLength: 1, maxLength: 20 }), fc.nat(), endpoint, (some, index, other) => {
      const { readyHash } = joined(slicesOf(some));
      expect(joined(slicesOf(some.toReversed())).readyHash).toBe(readyHash);
      expect(joined(slicesOf(some.slice(1), some.slice(0, 1))).readyHash).toBe(readyHash);
      const changed = some.with(index % some.length, other);
      expect(joined(slicesOf(changed)).readyHash).not.toBe(readyHash);
    }),
  );
});
