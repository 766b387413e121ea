import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/domain/nearest.ts';

const known = ['prober', 'weeder', 'simulate', 'replay', 'validate', 'release', 'help'];

const slips: readonly (readonly [word: string, meant: string])[] = [
  ['probr', 'prober'],
  ['PROBER', 'prober'],
  ['reply', 'replay'],
  ['relase', 'release'],
  ['hepl', 'help'],
  ['valdiate', 'validate'],
  ['simulator', 'simulate'],
  ['rele', 'release'],
  ['repl', 'replay'],
  ['validate-config', 'validate'],
];

test.for(slips)('1.1, 2.1 %s was meant to be %s', ([word, meant]) => {
  expect(nearest(word, known)).toBe(meant);
});

test('1.1, 2.1 swapped neighbours are one slip, not two', () => {
  expect(nearest('abc', ['xbc', 'bac', 'cde'])).toBe('xbc');
  expect(nearest('abcdef', ['abxyef', 'bacdef'])).toBe('bacdef');
});

test('1.1, 2.1 a known word is nearest to itself, and nothing is near where nothing is known', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{0,8}$/), { minLength: 1 }), (words) => {
      for (const word of words) expect(nearest(word, words)).toBe(word);
    }),
  );
  expect(nearest('x', [])).toBeUndefined();
});

test('1.1, 2.1 the only one that begins so is meant, before any that is nearer by its letters', () => {
  expect(nearest('config', ['kubeconfig', 'config-file'])).toBe('config-file');
  expect(nearest('zap-', ['zap-devel', 'zap-encoder', 'zaps'])).toBe('zaps');
});

test.for(['', 'x', 'start', 'constructor', 'run', 'rel', 'kubectl'])('1.1, 2.1 nothing is near %j', (word) => {
  expect(nearest(word, known)).toBeUndefined();
});
