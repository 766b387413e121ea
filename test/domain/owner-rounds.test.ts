import { expect, test } from 'vitest';
import { mayGoAt, roundsAfter, type OwnerRounds } from '../../src/domain/weeder/pod.ts';

const of = (createdAt: number, owner = 'a') => ({ owner, createdAt });

test('7.3 all pods of an owner that were there go at once, those made since then after pauses that grow', () => {
  let rounds: OwnerRounds = {};
  const goes = (createdAt: number, at: number): void => void (rounds = roundsAfter(of(createdAt), rounds, at));
  expect(mayGoAt(of(-9_000), rounds)).toBe(-Infinity);
  goes(-9_000, 0);
  expect(mayGoAt(of(-3_000), rounds)).toBe(-Infinity);
  expect(mayGoAt(of(-2_999), rounds)).toBe(30_000);
  expect(mayGoAt(of(1_000, 'b'), rounds)).toBe(-Infinity);
  goes(-5_000, 20_000);
  expect(mayGoAt(of(1_000), rounds), 'an older one begins no round').toBe(30_000);
  goes(1_000, 31_000);
  goes(30_000, 31_000);
  expect(mayGoAt(of(28_000), rounds)).toBe(-Infinity);
  expect(mayGoAt(of(32_000), rounds)).toBe(91_000);
  goes(32_000, 91_000);
  expect(mayGoAt(of(92_000), rounds)).toBe(211_000);
});

test('7.3 an owner may have any UID, also one that every object bears as a name', () => {
  for (const owner of ['constructor', '__proto__', 'toString']) {
    expect(mayGoAt(of(0, owner), {})).toBe(-Infinity);
    const rounds = roundsAfter(of(0, owner), {}, 5_000);
    expect(mayGoAt(of(6_000, owner), rounds)).toBe(35_000);
    expect(mayGoAt(of(36_000, owner), roundsAfter(of(6_000, owner), rounds, 35_000))).toBe(95_000);
  }
});

test('7.3 a pod whose owner or age is not known goes as one that was there', () => {
  const rounds = roundsAfter(of(0), {}, 5_000);
  expect(mayGoAt({}, rounds)).toBe(-Infinity);
  expect(mayGoAt({ owner: 'a' }, rounds)).toBe(-Infinity);
  expect(roundsAfter({}, rounds, 9_000)).toBe(rounds);
});
