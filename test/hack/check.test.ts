import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inLanes, type Ended } from '../../hack/check/in-lanes.ts';
import { runScript } from '../../hack/check/run-script.ts';

const root = mkdtempSync(join(tmpdir(), 'dwd-check-'));
afterAll(() => rmSync(root, { recursive: true }));
const scripts = {
  good: 'echo fine; echo odd >&2',
  bad: 'echo wrong && exit 3',
  chained: 'false && echo never',
  killed: 'kill -9 $$',
  flood: 'head -c 5000000 /dev/zero | tr "\\0" x; echo end',
};
writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));

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

const ended: readonly (readonly [script: keyof typeof scripts, code: number, said: RegExp])[] = [
  ['good', 0, /^(fine\nodd|odd\nfine)\n$/],
  ['bad', 3, /^wrong\n$/],
  ['chained', 1, /^$/],
  ['killed', 1, /^$/],
  ['flood', 0, /^\(1000004 characters before this are left out\)\nx+end\n$/],
];

test.for(ended)(
  'the script %s ends with %i, and nothing that it printed is lost unsaid',
  async ([script, code, said]) => {
    const result = await runScript(root, script);
    expect(result.code).toBe(code);
    expect(result.said.length).toBeLessThan(4_000_100);
    expect(result.said).toMatch(said);
  },
);

test('a script that does not exist is an error', async () => {
  await expect(runScript(root, 'none')).rejects.toThrow('package.json has no script none');
});
