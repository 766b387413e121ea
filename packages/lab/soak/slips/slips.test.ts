import { join } from 'node:path';
import { expect, test } from 'vitest';
import { misfitsAmong } from '../../mutants/misfits.ts';
import { soakSlips } from './slips.ts';
import { drawPlan, smallFirst } from '../draw-plan.ts';
import { sumUp } from './play.ts';

const root = join(import.meta.dirname, '../../../..');

test('every slip of the soak fits into its file, in one place, and what it makes is TypeScript', () => {
  const slips = soakSlips.map(({ slip }) => slip);
  expect(misfitsAmong(root, slips)).toEqual([]);
});

test('there are at least 60 slips, each once', () => {
  const said = soakSlips.map(({ slip }) => slip.says);
  expect(said.length).toBeGreaterThanOrEqual(60);
  expect(new Set(said).size).toBe(said.length);
  const made = soakSlips.map(({ slip: { file, find, put } }) => JSON.stringify([file, find, put]));
  expect(new Set(made).size).toBe(made.length);
});

test('small seeds are lived first of each fifty, and none is left out or lived twice', () => {
  const numbers = [...smallFirst(7, 120)];
  expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 120 }, (_, index) => 7 + index));
  const sizes = numbers.slice(0, 50).map((number) => drawPlan(number).shoots * drawPlan(number).weather);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect([...smallFirst(7, 120, 60)]).toEqual(numbers.slice(60));
});

const [placed] = soakSlips;
const slip = { ...placed!, tookMs: 1 };
const found = { law: 'S5', why: 'because', number: 7 };

test.each([
  ['one that a law found', [{ ...slip, found }], true],
  ['one that no law found', [{ ...slip, found: undefined }], false],
  ['one that is explained', [{ ...slip, slip: { ...slip.slip, explained: 'nobody sees it' }, found: undefined }], true],
  ['none at all', [], false],
])('what is played is good or not: %s', (_, played, isGood) => {
  expect(sumUp(played).isGood).toBe(isGood);
});
