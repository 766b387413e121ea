import { expect, test } from 'vitest';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { streamLog } from '../../src/commands/role/stream-log.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

/** The log of notices, with the levels of its lines so far. */
function logging() {
  const clock = new VirtualClock();
  const { log, lines } = heardLog('debug', clock);
  const tell = streamLog(log, clock);
  const levels = (...notices: readonly StreamNotice[]): readonly string[] => {
    for (const notice of notices) tell(notice);
    return lines.splice(0).map(({ level }) => level);
  };
  return { clock, levels };
}

const live = (of: string): StreamNotice => ({ kind: 'live', stream: 'pods', of });
const over = (of: string, object: string): StreamNotice => ({
  kind: 'overLimit',
  stream: 'pods',
  of,
  object,
  limit: 1,
});
const bad = (stream: string): StreamNotice => ({ kind: 'badLine', stream, problem: 'odd' });

test('9.4 each step of a watch is a line at DEBUG', () => {
  const steps: readonly StreamNotice[] = [
    { kind: 'opening', stream: 'clusters' },
    { kind: 'live', stream: 'clusters' },
    { kind: 'renewed', stream: 'clusters' },
    { kind: 'restarted', stream: 'clusters', why: 'failed', problem: 'no', reason: 'no' },
    { kind: 'out', stream: 'clusters', refused: false, problem: 'no', reason: 'no' },
    { kind: 'closed', stream: 'clusters' },
  ];
  expect(logging().levels(...steps)).toEqual(steps.map(() => 'debug'));
});

test('9.4 a watch with more objects than it keeps is logged once, and again after it was opened anew', () => {
  const { levels } = logging();
  const told = levels(over('a', 'x'), over('a', 'y'), over('a', 'x'), over('b', 'x'), live('a'), over('a', 'x'));
  expect(told).toEqual(['error', 'debug', 'debug', 'error', 'debug', 'error']);
});

test('9.4 a fault of what the seed sends is logged once a minute for each stream, however often it comes', async () => {
  const { clock, levels } = logging();
  expect(levels(bad('a'), bad('a'), bad('b'), bad('b'))).toEqual(['error', 'debug', 'error', 'debug']);
  await clock.advanceBy(59_999);
  expect(levels(bad('a'))).toEqual(['debug']);
  await clock.advanceBy(1);
  expect(levels(bad('a'), bad('a'))).toEqual(['error', 'debug']);
});

test('7.6 9.4 that another kind is watched is said, and needs nobody', () => {
  const { levels } = logging();
  expect(levels({ kind: 'replaced', stream: 'endpointslices', by: 'endpoints', problem: '403' })).toEqual(['info']);
});
