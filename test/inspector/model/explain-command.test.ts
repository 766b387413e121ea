import { expect, test } from 'vitest';
import { explainCommand, recordedLine, type ReadFrom } from '../../../src/inspector/model/recorded-turn.ts';

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

const command = 'dependency-watchdog replay --explain shoot--dev--one@2026-11-21T20:07:57.153Z#33';
const many = [1, 2, 3, 4].map((number) => `/var/log/dwd/dwd-prober-${number}.jsonl`);

test.each<readonly [ReadFrom, string]>([
  [{ files: [] }, `${command} FILE`],
  [{ files: ['standard input'] }, `${command} FILE`],
  [{ files: ['dwd-prober-1.jsonl'] }, `${command} dwd-prober-1.jsonl`],
  [{ files: ['a.jsonl', '/var/b c.jsonl'] }, `${command} a.jsonl '/var/b c.jsonl'`],
  [{ files: ["it's$(x).jsonl"] }, `${command} 'it'\\''s$(x).jsonl'`],
  [{ files: many }, `${command} /var/log/dwd/`],
  [{ files: [...many, '/srv/other.jsonl'] }, `${command} FILE`],
  [{ process: 'http://127.0.0.1:9645' }, `curl -s http://127.0.0.1:9645/journal | ${command} -`],
])('9.7 of %j the command that shows a turn names its time and number, and is safe to paste', (from, text) => {
  expect(explainCommand(turn, from)).toBe(text);
});

test('9.7 the line of a turn is the one that was recorded', () => {
  const { run: _run, ...recorded } = turn;
  expect(recordedLine(turn)).toBe(JSON.stringify(recorded));
});
