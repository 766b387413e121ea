import { expect, test } from 'vitest';
import { readSoakOptions } from './soak-options.ts';

const read = (...args: string[]) => readSoakOptions(args, () => 77);

test('without a first number, it is drawn; without a limit, it is five minutes', () => {
  expect(read()).toMatchObject({ first: 77, minutes: 5, lives: Infinity, story: false, coverage: false });
});

test('so many lives take as long as they take', () => {
  expect(read('--first', '1', '--lives', '50')).toMatchObject({ first: 1, lives: 50, minutes: Infinity });
});

test('one number is one life, and may be told', () => {
  expect(read('--seed', '7', '--story')).toMatchObject({ first: 7, lives: 1, workers: 1, story: true });
});

test.each([
  [['--minutes', 'many'], '--minutes is a number from 0 on'],
  [['--lives', '0'], '--lives is a number from 1 on'],
  [['--first', '1.5'], '--first is a number from 0 on'],
  [['--story'], '--story needs --seed'],
  [['--sead', '1'], '--sead'],
])('%j is refused, and the flag is named', (args, words) => {
  expect(() => read(...args)).toThrow(words);
});
