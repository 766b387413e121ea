import { expect, test } from 'vitest';
import { TurnOutbox } from '../../src/adapters/record/facts/turns.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';

const [sample] = await meltdown();

/** An outbox whose event loop is turned by hand; without one, nothing turns it. */
function stage(hasLoop = true) {
  const due: (() => void)[] = [];
  const told: number[] = [];
  const outbox = new TurnOutbox(hasLoop ? (work) => void due.push(work) : undefined);
  const observe = outbox.to(({ seq }) => void told.push(seq));
  let seq = 0;
  const take = (count: number) => {
    for (let index = 0; index < count; index++) observe({ ...(sample as ShootTurn), seq: (seq += 1) });
  };
  const turnTheLoop = () => {
    for (const work of due.splice(0)) work();
    return told.length;
  };
  return { due, told, outbox, take, turnTheLoop };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('9.1 turns are told later, in their order, and some at a time, so that answers are heard in between', () => {
  const { due, told, take, turnTheLoop } = stage();
  take(120);
  expect([told, due.length]).toEqual([[], 1]);
  expect([turnTheLoop(), turnTheLoop(), turnTheLoop()]).toEqual([50, 100, 120]);
  expect([told, due.length]).toEqual([upTo(120), 0]);
  take(1);
  expect([turnTheLoop(), due.length]).toEqual([121, 0]);
});

test('9.1 a flush tells all that wait, once', () => {
  const { told, outbox, take, turnTheLoop } = stage();
  take(70);
  outbox.flush();
  expect(told).toEqual(upTo(70));
  expect(turnTheLoop()).toBe(70);
  take(1);
  expect(turnTheLoop()).toBe(71);
});

test('9.1 no more than 2,000 turns wait', () => {
  const { told, take } = stage();
  take(1_999);
  expect(told).toEqual([]);
  take(1);
  expect(told).toEqual(upTo(2_000));
});

test('9.1 in virtual time each turn is told at once', () => {
  const { told, take } = stage(false);
  take(2);
  expect(told).toEqual([1, 2]);
});
