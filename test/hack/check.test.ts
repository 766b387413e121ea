import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLanes, type Ended } from '../../hack/check/in-lanes.ts';
import { runShell } from '../../hack/check/run-shell.ts';

const root = join(import.meta.dirname, '../..');

/** Scripts that end when the test says so. */
function byHand() {
  const begun: string[] = [];
  const ends = new Map<string, (ended: Ended) => void>();
  const run = (script: string) => {
    begun.push(script);
    const { promise, resolve } = Promise.withResolvers<Ended>();
    ends.set(script, resolve);
    return promise;
  };
  const end = async (script: string, code: number) => {
    ends.get(script)?.({ code, said: `${script} was here`, seconds: 1 });
    // Its lane goes on in a later turn of the queue.
    await new Promise(setImmediate);
  };
  return { begun, run, end };
}

test('lanes run side by side, each script says all at its end, and all are run whatever fails', async () => {
  const { begun, run, end } = byHand();
  const said: string[] = [];
  const done = inLanes([['a'], ['b', 'c']], { run, say: (text) => said.push(text) });
  expect(begun).toEqual(['a', 'b']);
  await end('b', 2);
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c', 0);
  await end('a', 1);
  expect(await done).toEqual(['b', 'a']);
  expect(said).toEqual([
    'b was here\n== b failed with code 2, 1.0 s\n',
    'c was here\n== c passed, 1.0 s\n',
    'a was here\n== a failed with code 1, 1.0 s\n',
  ]);
});

const ended: readonly (readonly [words: string, code: number, said: RegExp])[] = [
  ['echo fine; echo odd >&2', 0, /^(fine\nodd|odd\nfine)\n$/],
  ['echo wrong && exit 3', 3, /^wrong\n$/],
  ['false && echo never', 1, /^$/],
  ['kill -9 $$', 1, /^$/],
  ['head -c 5000000 /dev/zero | tr "\\0" x; echo end', 0, /^\(1000004 characters before this are left out\)\nx+end\n$/],
];

test.for(ended)('%s ends with %i, and nothing that it printed is lost unsaid', async ([words, code, said]) => {
  const result = await runShell(root, words);
  expect(result.code).toBe(code);
  expect(result.said.length).toBeLessThan(4_000_100);
  expect(result.said).toMatch(said);
});
