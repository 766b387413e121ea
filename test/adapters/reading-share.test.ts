import { expect, test } from 'vitest';
import { ProbeFailed } from '../../src/adapters/reading/probe-failed.ts';
import { readingShare, type ReadingShareOptions } from '../../src/adapters/reading/reading-share.ts';

/** A share, and the turns that it asked for. */
function reading(options: Partial<ReadingShareOptions> = {}) {
  const seen = { turns: 0 };
  const share = readingShare({
    whose: 'a.example:443',
    mostBytes: 1e9,
    turn: () => {
      seen.turns += 1;
      return Promise.resolve();
    },
    ...options,
  });
  const read = (length: number) => share.read(Buffer.alloc(length), () => undefined);
  return { ...share, read, seen };
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error instanceof ProbeFailed ? error.failure : error;
  }
  return undefined;
}

test('4.7 bytes have a limit, and a tiny piece counts as one of 1,024', () => {
  const { receive } = reading({ mostBytes: 10_240 });
  receive(9_216);
  receive(1);
  expect(failureOf(() => receive(1))).toEqual({
    reason: 'tooLarge',
    detail: 'a.example:443 sent more than 10240 bytes',
  });
  // A record of many tiny chunks has been received once, and each of them is read by itself.
  const chunks = reading({ mostBytes: 10_240 });
  for (let count = 0; count < 10; count++) void chunks.read(1);
  expect(failureOf(() => chunks.read(1))).toMatchObject({ reason: 'tooLarge' });
});

test('4.7 a short answer is read as it comes, a long one a slice at a turn', () => {
  const { read, seen } = reading();
  const piece = 16_384;
  for (let bytes = 0; bytes < 1_048_576; bytes += piece) expect(read(piece)).toBeUndefined();
  expect(seen.turns).toBe(0);
  const waits = Array.from({ length: 24 }, () => read(piece) !== undefined);
  expect(waits.flatMap((waited, index) => (waited ? [index] : []))).toEqual([7, 15, 23]);
  for (let count = 0; count < 128; count++) void read(1);
  expect(seen.turns).toBe(4);
});
