import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './journal-driver.ts';

// Written by the last program whose journals had version 3, from within the machines' lives, in two chapters each. In the prober's, a
// lease is ahead of the time and another is not renewed though its node is Ready, of which that program said nothing.
const recorded = (name: string) => new URL(`version-3/${name}.jsonl`, import.meta.url).pathname;

test.each(['prober', 'weeder'])('9.6 L3 a journal of version 3 comes out as it was recorded: %s', async (name) => {
  const { code, out } = await replay(['--json', recorded(name)]);
  const { turns, checked, differences } = summaryOf(out);
  expect({ code, differences }).toEqual({ code: 0, differences: [] });
  expect(checked).toBeGreaterThan(turns - 2);
});

test('9.6 L3 a difference is found in it', async () => {
  const text = readFileSync(recorded('prober'), 'utf8');
  const { code, out } = await replay(['--json', '-'], [text.replace('"kind":"shielded"', '"kind":"paused"')]);
  expect(code).toBe(1);
  expect(out).toContain('"in":"notes"');
});

test('5.1 5.5 9.6 the same events with the version of today differ where that program said nothing', async () => {
  const text = readFileSync(recorded('prober'), 'utf8').replaceAll('"journal":3', '"journal":6');
  const { code, out } = await replay(['--json', '-'], [text]);
  expect(code).toBe(1);
  expect(summaryOf(out).differences.length).toBeGreaterThan(0);
});

function summaryOf(out: string) {
  const last = out.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as { summary: { turns: number; checked: number; differences: readonly unknown[] } }).summary;
}
