import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './journal-driver.ts';

// Written by the last program whose journals had version 5, in two chapters each. In the prober's, a shoot does not answer for a while, is cut
// off and comes back, and its machine is started twice.
const recorded = (name: string) => new URL(`version-5/${name}.jsonl`, import.meta.url).pathname;

test.each(['prober', 'weeder'])('9.6 L3 a journal of version 5 comes out as it was recorded: %s', async (name) => {
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

test('4.9 9.6 what a shoot that is judged by its leases remembers is written as in version 5', async () => {
  const text = readFileSync(recorded('prober'), 'utf8').replaceAll('"journal":5', '"journal":6');
  const { code, out } = await replay(['--json', '-'], [text]);
  expect({ code, differences: summaryOf(out).differences }).toEqual({ code: 0, differences: [] });
});

function summaryOf(out: string) {
  const last = out.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as { summary: { turns: number; checked: number; differences: readonly unknown[] } }).summary;
}
