import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from './journal-driver.ts';

// Written by the last program whose journals had version 2. Each file begins within a machine's life, with its snapshot.
const recorded = (name: string) => new URL(`version-2/${name}.jsonl`, import.meta.url).pathname;
const names = ['prober-3', 'prober-5', 'prober-6', 'weeder'];

test.each(names)('9.6 L3 a journal of version 2 comes out as it was recorded: %s', async (name) => {
  const { code, out } = await replay(['--json', recorded(name)]);
  const { turns, checked, differences } = summaryOf(out);
  expect({ code, differences }).toEqual({ code: 0, differences: [] });
  expect(checked).toBeGreaterThan(turns - 3);
});

test('9.6 what an answer answered is found among the commands before it', async () => {
  const { out } = await replay(['--json', recorded('prober-3')]);
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event?: { type: string } }).event);
  const answers = events.filter((event) => event?.type === 'scale.answered');
  expect(answers.length).toBeGreaterThan(2);
  for (const answer of answers)
    expect(answer).toMatchObject({ asked: { change: expect.anything() }, askedAt: expect.any(Number) });
});

test.each([
  ['another command', '"replicas":0,"mark":true', '"replicas":1,"mark":true', 'commands'],
  ['another note', '"kind":"shielded"', '"kind":"paused"', 'notes'],
])('9.6 L3 a difference is found in it: %s', async (_, from, to, where) => {
  const text = readFileSync(recorded('prober-3'), 'utf8');
  expect(text).toContain(from);
  const { code, out } = await replay(['--json', '-'], [text.replace(from, to)]);
  expect(code).toBe(1);
  expect(out).toContain(`"in":"${where}"`);
});

test('9.6 a damaged line of version 2 is named, and the rest is read', async () => {
  const lines = readFileSync(recorded('weeder'), 'utf8').split('\n');
  const text = lines.with(3, '{"seq":3}').join('\n');
  const { code, out } = await replay(['--json', '-'], [text]);
  expect(code).toBe(1);
  expect(out).toContain('"damaged":"standard input, line 4"');
});

test.each([
  ['a machine that threw in its first turn', '{"value":null,"context":null}', 0],
  ['a snapshot that is none', '{"value":{},"context":{"shoot":"x"}}', 1],
])('9.6 %s costs no other line of version 2', async (_, before, code) => {
  const [header = '', first = ''] = readFileSync(recorded('prober-3'), 'utf8').split('\n');
  const { seq, at, shoot } = JSON.parse(first) as { seq: number; at: number; shoot: string };
  const ended = { type: 'ended', at, because: 'bug', error: 'x' };
  const line = { seq: seq - 1, at, shoot, event: ended, from: 'idle', to: 'idle', commands: [], notes: [] };
  const text = [header, JSON.stringify(line).replace(/}$/, `,"before":${before}}`), first, ''].join('\n');
  const replayed = await replay(['--json', '-'], [text]);
  expect(replayed.code).toBe(code);
  expect(replayed.out).toContain('"checked":1');
});

function summaryOf(out: string) {
  const last = out.trimEnd().split('\n').at(-1)!;
  return (JSON.parse(last) as { summary: { turns: number; checked: number; differences: readonly unknown[] } }).summary;
}
