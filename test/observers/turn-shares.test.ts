import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalLimits, turnShares } from '../../src/adapters/record/journal/journal-limits.ts';
import { roughSize } from '../../src/adapters/record/journal/journal-line.ts';

const limits = { shareBytes: 1_000, shareTurns: 5, shareBytesPerSecond: 100, shareTurnsPerSecond: 1 };

test.each<readonly [string, readonly (readonly [at: number, bytes: number, allowed: boolean])[]]>([
  [
    'as much at once as its share holds',
    [
      [0, 600, true],
      [0, 400, true],
      [0, 1, false],
    ],
  ],
  ['as many turns at once', [...Array.from({ length: 5 }, () => [0, 1, true] as const), [0, 1, false]]],
  [
    'what does not fit is left out, what is smaller is kept',
    [
      [0, 900, true],
      [0, 101, false],
      [0, 100, true],
    ],
  ],
  [
    'it fills by the second',
    [
      [0, 1_000, true],
      [999, 100, false],
      [1_000, 100, true],
      [1_000, 1, false],
    ],
  ],
  [
    'and never beyond what it holds',
    [
      [0, 1_000, true],
      [3_600_000, 1_001, false],
      [3_600_000, 1_000, true],
    ],
  ],
  [
    'what is left out costs nothing',
    [
      [0, 2_000, false],
      [0, 1_000, true],
    ],
  ],
  [
    'a clock that is set back takes nothing',
    [
      [10_000, 500, true],
      [0, 500, true],
      [0, 1, false],
      [1_000, 100, true],
    ],
  ],
])('4.7 9.6 a share: %s', (_, turns) => {
  const shares = turnShares(limits);
  for (const [at, bytes, allowed] of turns) {
    expect({ at, bytes, allowed: shares.allows('shoot--a', bytes, at) }).toEqual({ at, bytes, allowed });
    if (allowed) shares.charge('shoot--a', bytes);
  }
  expect(shares.allows('shoot--b', 1_000, 0)).toBe(true);
});

test('4.7 9.6 a shoot that went has its whole share when it comes again', () => {
  const shares = turnShares(limits);
  expect(shares.allows('shoot--a', 1_000, 0)).toBe(true);
  shares.charge('shoot--a', 1_000);
  shares.forget('shoot--a');
  expect(shares.allows('shoot--a', 1_000, 0)).toBe(true);
});

/** The size of nodes whose names are as long as a label may be. */
function look(nodes: number) {
  const leases = Array.from({ length: nodes }, (_, index) => ({
    node: `shoot--project01--${'x'.repeat(15)}-worker-pool-name-z1-7d9-${10_000 + index}`,
    renewedAt: 1_790_000_000_123,
  }));
  const views = leases.map(({ node }) => ({
    name: node,
    pool: 'worker-pool-name',
    unmanaged: false,
    trueConditions: ['Ready', 'KubeletReady'],
    inPlaceUpdate: false,
  }));
  return { leases, views, machines: leases.map(({ node }) => ({ node, phase: 'Running' })) };
}

test('4.7 9.6 an honest shoot of 5,000 nodes keeps every turn of an hour’s outage', () => {
  const shares = turnShares(journalLimits);
  const { leases, views, machines } = look(5_000);
  const answered = JSON.stringify(leases).length;
  const looked = JSON.stringify({ views, machines }).length;
  for (let at = 0; at < 3_600_000; at += 30_000)
    for (const bytes of [1_000, answered, 1_000, looked]) {
      expect(bytes).toBeLessThan(journalLimits.turnBytes);
      expect(shares.allows('shoot--a', bytes, at)).toBe(true);
      shares.charge('shoot--a', bytes);
    }
});

test('4.7 9.6 nobody’s share of an hour is more than three fifths of the directory', () => {
  const { shareBytes, shareBytesPerSecond, fileBytes, files } = journalLimits;
  expect(shareBytes + 3_600 * shareBytesPerSecond).toBeLessThan(0.6 * fileBytes * files);
});

test('4.7 the size of a turn is estimated near enough', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.stringify(value).length;
      const rough = roughSize(value, Infinity);
      // Numbers count as 8, escapes not at all.
      expect(rough).toBeGreaterThanOrEqual(json / 6);
      expect(rough).toBeLessThanOrEqual(8 * json + 8);
    }),
    { seed: 4_007, numRuns: 500 },
  );
  const { leases, views } = look(1_000);
  for (const value of [leases, views]) {
    const json = JSON.stringify(value).length;
    expect(roughSize(value, Infinity)).toBeGreaterThan(0.8 * json);
    expect(roughSize(value, Infinity)).toBeLessThan(1.2 * json);
  }
});

test.each([
  ['a list of lists', () => Array.from({ length: 5_000 }, () => Array.from({ length: 32 }, () => 'x'.repeat(128)))],
  ['a long list of nothing', () => Array.from({ length: 500_000 }, () => ({}))],
  ['one long text', () => ['x'.repeat(20_000_000)]],
])('4.7 a turn far beyond its limit is looked at no further than to the limit: %s', (_, make) => {
  let looks = 0;
  const counted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          get: (target, name) => {
            looks += 1;
            return counted(Reflect.get(target, name));
          },
        });
  expect(roughSize(counted(make()), 100_000)).toBeGreaterThan(100_000);
  expect(looks).toBeLessThan(100_000);
});
