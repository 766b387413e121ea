import { expect, test } from 'vitest';
import { createLog } from '../../src/adapters/log/log.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-trouble.ts';
import { streamLog } from '../../src/commands/role/stream-log.ts';

/** The levels at which the log has the notices. */
function levels(...notices: readonly StreamNotice[]): readonly string[] {
  const lines: string[] = [];
  const tell = streamLog(createLog({ level: 'debug', clock: { now: () => 0 }, write: (line) => lines.push(line) }));
  for (const notice of notices) tell(notice);
  return lines.map((line) => (JSON.parse(line) as { level: string }).level);
}

const out = (of?: string, refused = false): StreamNotice => ({
  ...(of === undefined ? { stream: 'clusters' } : { stream: 'pods', of }),
  kind: 'out',
  refused,
  problem: 'no connection',
});
const live = (of: string): StreamNotice => ({ kind: 'live', stream: 'pods', of });

const over = (of: string, object: string): StreamNotice => ({
  kind: 'overLimit',
  stream: 'pods',
  of,
  object,
  limit: 1,
});

test('9.4 the trouble of a watch is logged, and so is its end', () => {
  expect(levels(out(), { kind: 'live', stream: 'clusters' })).toEqual(['error', 'info']);
});

test('9.4 trouble of one of hundreds of watches is a line at DEBUG only', () => {
  expect(levels(live('a'), out('a'), live('a'))).toEqual(['debug', 'debug', 'debug']);
});

test('9.4 the log says once that pods may not be watched, and again after they could be', () => {
  expect(levels(out('a', true), out('b', true), live('a'), out('c', true))).toEqual([
    'error',
    'debug',
    'debug',
    'error',
  ]);
});

test('9.4 a watch with more objects than it keeps is logged once, and again after it was opened anew', () => {
  expect(levels(over('a', 'x'), over('a', 'y'), over('a', 'x'), over('b', 'x'), live('a'), over('a', 'x'))).toEqual([
    'error',
    'debug',
    'debug',
    'error',
    'debug',
    'error',
  ]);
});
