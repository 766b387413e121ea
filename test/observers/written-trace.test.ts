import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writtenTrace } from '../../src/adapters/record/log/written-trace.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';

/** A folder with a bundle's map: the 11th column of `chunk-a1.js` is line 3, column 5 of `src/a.ts`. */
function bundled(): string {
  const dir = temporaryFolder();
  const map = { version: 3, sources: ['src/a.ts'], names: [], mappings: 'UAEI' };
  writeFileSync(join(dir, 'chunk-a1.js.map'), JSON.stringify(map));
  return dir;
}

test('a trace of the bundle names the lines that were written', () => {
  const dir = bundled();
  const trace = `Error: no\n    at f (file://${dir}/chunk-a1.js:1:11)\n    at async file://${dir}/chunk-a1.js:1:11`;
  expect(writtenTrace(trace, dir)).toBe('Error: no\n    at f (src/a.ts:3:5)\n    at async src/a.ts:3:5');
});

test('what has no map stays as it is: the sources, Node, other files, and a place before the first that is mapped', () => {
  const dir = bundled();
  const trace = `Error: no
    at a (file://${dir}/chunk-b2.js:1:11)
    at b (file://${dir}/src/a.ts:1:11)
    at c (node:internal/streams/destroy:36:9)
    at d (/somewhere/chunk-a1.js:1:11)
    at e (file://${dir}/chunk-a1.js:1:2)`;
  expect(writtenTrace(trace, dir)).toBe(trace);
  expect(writtenTrace(trace)).toBe(trace);
});
