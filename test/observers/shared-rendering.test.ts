import { expect, test } from 'vitest';
import { sharedRendering } from '../../src/adapters/http/routes.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** A rendering that ends when the test says so. */
function slow() {
  const clock = new VirtualClock(1_790_000_000_000);
  const begun: PromiseWithResolvers<string>[] = [];
  const read = sharedRendering(clock, () => {
    const rendering = Promise.withResolvers<string>();
    begun.push(rendering);
    return rendering.promise;
  });
  return { clock, begun, read };
}

test('9.2 4.7 a hundred readers at once share one rendering, however long it takes', async () => {
  const { clock, begun, read } = slow();
  const early = Array.from({ length: 50 }, read);
  await clock.advanceBy(5_000);
  const late = Array.from({ length: 50 }, read);
  expect(begun).toHaveLength(1);
  begun[0]!.resolve('text');
  expect(new Set(await Promise.all([...early, ...late]))).toEqual(new Set(['text']));
});

test('9.2 4.7 readers one after the other get a rendering of their own at most once a second', async () => {
  const { clock, begun, read } = slow();
  const texts: string[] = [];
  for (let round = 0; round < 40; round++) {
    const reading = read();
    begun.at(-1)!.resolve(`rendering ${begun.length}`);
    texts.push(await reading);
    await clock.advanceBy(100);
  }
  expect(begun).toHaveLength(4);
  expect(texts[9]).toBe('rendering 1');
  expect(texts[10]).toBe('rendering 2');
});

test('9.2 a rendering that fails fails for all readers that wait for it, and for nobody after them', async () => {
  const { begun, read } = slow();
  const both = [read(), read()];
  begun[0]!.reject(new Error('no'));
  for (const reading of both) await expect(reading).rejects.toThrow('no');
  await settled();
  const next = read();
  begun[1]!.resolve('text');
  expect(await next).toBe('text');
});

test('9.2 a clock that is set back does not keep an old text alive', async () => {
  let now = 1_000_000;
  let renderings = 0;
  const read = sharedRendering({ now: () => now }, () => Promise.resolve(`rendering ${++renderings}`));
  await read();
  now -= 500_000;
  expect(await read()).toBe('rendering 2');
});
