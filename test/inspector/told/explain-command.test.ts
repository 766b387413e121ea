import { expect, test } from 'vitest';
import { explainCommand, recordedLine } from '../../../src/inspector/told/turn-recorded.ts';

const at = Date.parse('2026-11-21T20:07:57.153Z');
const turn = {
  kind: 'shoot',
  subject: 'shoot--dev--one',
  run: 'r.1-2',
  seq: 33,
  at: at + 0.6,
  event: { type: 'woken', at: at + 0.6 },
  to: 'probing',
  commands: [],
  notes: [],
};

test.each([
  [[], 'FILE'],
  [['dwd-prober-20261121T200000000Z-0001.jsonl'], 'dwd-prober-20261121T200000000Z-0001.jsonl'],
  [['a.jsonl', '/var/b c.jsonl'], "a.jsonl '/var/b c.jsonl'"],
  [["it's$(x).jsonl"], "'it'\\''s$(x).jsonl'"],
])('9.7 the command that shows a turn of %j names its time and number, and is safe to paste', (files, named) => {
  expect(explainCommand(turn, files)).toBe(
    `dependency-watchdog replay --explain shoot--dev--one@2026-11-21T20:07:57.153Z#33 ${named}`,
  );
});

test('9.7 the line of a turn is the one that was recorded', () => {
  const { run: _run, ...recorded } = turn;
  expect(recordedLine(turn)).toBe(JSON.stringify(recorded));
});
