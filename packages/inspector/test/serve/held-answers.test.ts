import { expect, test } from 'vitest';
import { heldAnswers } from '../../serve/readers.ts';

const piece = Buffer.from('x');

test('9.7 turns count from the first piece to the last, or until the reader leaves', () => {
  const answers = heldAnswers(10);
  const [whole, left] = [1, 2].map(() => answers.holding(['12345', '67890'], [piece, piece])[Symbol.iterator]());
  expect(answers.isFull()).toBe(false);
  expect(whole!.next().value).toBe(piece);
  expect(left!.next().value).toBe(piece);
  expect(answers.isFull()).toBe(true);
  whole!.next();
  expect(whole!.next().done).toBe(true);
  expect(answers.isFull()).toBe(true);
  left!.return!();
  expect(answers.isFull()).toBe(false);
});

test('9.7 an answer whose body nobody wants, as for HEAD, does not count', () => {
  const answers = heldAnswers(1);
  answers.holding(['12345'], [piece])[Symbol.iterator]().return?.();
  expect(answers.isFull()).toBe(false);
});
