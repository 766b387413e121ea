import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

/** With one replica and fair weather, with several and foul weather, with the weeder. */
const numbers = [3, 6, 11];

test.each(numbers)(
  'the life of number %i is the same, byte for byte, in this thread and in another',
  async (number) => {
    const [here, again] = [await fingerprintOf(number), await fingerprintOf(number)];
    const other = new Worker(join(import.meta.dirname, 'fingerprint-worker.ts'), { workerData: number });
    const there = await new Promise((resolve, reject) => {
      other.on('message', resolve).on('error', reject);
    });
    expect(here.observations).toBeGreaterThan(500);
    expect(again).toEqual(here);
    expect(there).toEqual(here);
  },
);

test('another number has another life', async () => {
  expect((await fingerprintOf(4)).hash).not.toBe((await fingerprintOf(5)).hash);
});
