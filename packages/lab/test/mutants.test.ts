import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { misfitsAmong } from '../mutants/misfits.ts';
import { readSlips } from '../mutants/read-slips.ts';
import { slipped, type Slip } from '../mutants/slip.ts';
import { allSlips } from '../mutants/slips.ts';
import { sumUp } from '../mutants/sum.ts';

const root = join(import.meta.dirname, '../../..');

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

test('what is written is read as it stands, with spaces and lines of its own', () => {
  const text =
    '# why\nx.ts/y.ts seen by test/a test/b\n  too many\n    -  && a\n    -   return;\n    +\n    explained: so\n';
  const heading = { file: 'x.ts/y.ts', tests: ['test/a', 'test/b'] };
  expect(readSlips('r.slips', text)).toEqual([
    { ...heading, says: 'too many', find: ' && a\n  return;', put: '', explained: 'so' },
  ]);
  expect(readSlips('r.slips', 'of room\n  one\n    was true: once')).toEqual([
    { of: 'room', says: 'one', wasTrue: 'once' },
  ]);
});

test.each([
  ['a/x.ts watched by test/a', "r.slips:1: neither 'FILE seen by TESTS' nor 'of ROOM'"],
  ['  one too many\n    - a', 'r.slips:1: no part of a slip'],
  ['a/x.ts\n    - a', 'r.slips:2: no part of a slip'],
  ['a/x.ts\n  one too many\n   - a', 'r.slips:3: no part of a slip'],
  ['a/x.ts\n  one too many\n    + a', "r.slips:2: no '-' says what stands in a/x.ts"],
  ['a/x.ts\n  one\n    - a\na/y.ts\n  one\n    - b', "r.slips:5: a second slip says 'one'"],
  ['of room\n  one\n    - a', 'r.slips:2: code stands with the room, not here'],
])('what cannot be read is refused with its line: %j', (text, why) => {
  expect(() => readSlips('r.slips', text)).toThrow(why);
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
