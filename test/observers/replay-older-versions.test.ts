import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { replay } from './journal-driver.ts';

// Each was written by the last program whose journals had that version, in two chapters. Version 3: from within the machines' lives; a lease is
// ahead of the time and another is not renewed though its node is Ready, of which that program said nothing. Version 4: a shoot is cut off and
// comes back, and its machine is started twice; nodes and Machines were looked at with each probe while something was down. Version 5: a
// shoot does not answer for a while, is cut off and comes back, and its machine is started twice.
const recorded = (version: number, role: string) =>
  new URL(`version-${version}/${role}.jsonl`, import.meta.url).pathname;

describe.each([3, 4, 5])('9.6 L3 a journal of version %i', (version) => {
  test.each(['prober', 'weeder'])('9.6 L3 comes out as it was recorded: %s', async (role) => {
    const { code, out } = await replay(['--json', recorded(version, role)]);
    const { turns, checked, differences } = summaryOf(out);
    expect({ code, differences }).toEqual({ code: 0, differences: [] });
    expect(checked).toBeGreaterThan(turns - 2);
  });

  test('9.6 L3 a difference is found in it', async () => {
    const text = readFileSync(recorded(version, 'prober'), 'utf8');
    const { code, out } = await replay(['--json', '-'], [text.replace('"kind":"shielded"', '"kind":"paused"')]);
    expect(code).toBe(1);
    expect(out).toContain('"in":"notes"');
  });
});

/** Replays what a program of that version wrote as if it had been written today. */
async function replayAsToday(version: number) {
  const text = readFileSync(recorded(version, 'prober'), 'utf8').replaceAll(`"journal":${version}`, '"journal":6');
  const { code, out } = await replay(['--json', '-'], [text]);
  return { code, differences: summaryOf(out).differences };
}

test('5.1 5.5 9.6 what version 3 tells differs today where that program said nothing', async () => {
  const { code, differences } = await replayAsToday(3);
  expect(code).toBe(1);
  expect(differences.length).toBeGreaterThan(0);
});

test('4.9 9.6 what a shoot that is judged by its leases remembers is written as in version 5', async () => {
  expect(await replayAsToday(5)).toEqual({ code: 0, differences: [] });
});

function summaryOf(out: string) {
  const last = out.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as { summary: { turns: number; checked: number; differences: readonly unknown[] } }).summary;
}
