import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { misfitsAmong } from '../hack/mutants/misfits.ts';
import { slipped, type Slip } from '../hack/mutants/slip.ts';
import { allSlips } from '../hack/mutants/slips.ts';
import { sumUp } from '../hack/mutants/sum.ts';

const root = join(import.meta.dirname, '..');

test('every slip still fits into its file, in one place, and what it makes is TypeScript', () => {
  const slips = allSlips.map(({ slip }) => slip);
  expect(misfitsAmong(root, slips)).toEqual([]);
  expect(allSlips.length).toBeGreaterThanOrEqual(160);
});

test('every slip names tests that are there', () => {
  const missing = allSlips.flatMap(({ slip }) => slip.tests.filter((path) => !existsSync(join(root, path))));
  expect(missing).toEqual([]);
  expect(allSlips.filter(({ slip }) => slip.tests.length === 0)).toEqual([]);
});

const one: Slip = { file: 'x.ts', find: 'a > b', put: 'a >= b', says: 'one too many', tests: ['test/x.test.ts'] };

test('a slip is put into its place, and into no other', () => {
  expect(slipped('if (a > b) c', one)).toBe('if (a >= b) c');
  expect(() => slipped('if (a < b) c', one)).toThrow('"a > b" does not stand in x.ts');
  expect(() => slipped('a > b > a > b', one)).toThrow('"a > b" stands more than once in x.ts');
});

const played = (count: number, fate: 'seen' | 'lives' | 'hung', slip = one) =>
  Array.from({ length: count }, () => ({ room: 'domain', slip, fate, tookMs: 1 }));
const explained = { ...one, explained: 'nobody minds' };

test.each([
  ['all seen', played(20, 'seen'), true],
  ['19 of 20 seen, and the last explained', [...played(19, 'seen'), ...played(1, 'lives', explained)], true],
  ['19 of 20 seen, and the last not explained', [...played(19, 'seen'), ...played(1, 'lives')], false],
  ['18 of 20 seen, however well explained', [...played(18, 'seen'), ...played(2, 'lives', explained)], false],
  ['one that hangs, which somebody would notice', [...played(19, 'seen'), ...played(1, 'hung')], true],
  ['none at all', [], false],
])('of the whole list: %s', (_, all, isGood) => {
  expect(sumUp(all, true).isGood).toBe(isGood);
});

test('of a few, one that lives may be explained, and must be', () => {
  expect(sumUp([...played(4, 'seen'), ...played(1, 'lives', explained)], false).isGood).toBe(true);
  expect(sumUp([...played(4, 'seen'), ...played(1, 'lives')], false).isGood).toBe(false);
});
