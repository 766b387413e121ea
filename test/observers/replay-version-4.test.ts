import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './journal-driver.ts';

// Written by the last program whose journals had version 4, in two chapters each. In the prober's, a shoot is cut off and comes back, and
// its machine is started twice. That program looked at nodes and Machines with each probe while something was down.
const recorded = (name: string) => new URL(`version-4/${name}.jsonl`, import.meta.url).pathname;

test.each(['prober', 'weeder'])('9.6 L3 a journal of version 4 comes out as it was recorded: %s', async (name) => {
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

function summaryOf(out: string) {
  const last = out.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as { summary: { turns: number; checked: number; differences: readonly unknown[] } }).summary;
}
