import { expect, test } from 'vitest';
import { lastingTrouble } from '../../src/commands/role/lasting-trouble.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { heardLog } from '@dwd/testing/heard-io.ts';

test('9.4 what is tried every 2 s and fails is told at once, each minute with the latest reason, and when it ends', async () => {
  const clock = new VirtualClock();
  const { log, lines, said } = heardLog('info', clock);
  const trouble = lastingTrouble(log, clock, { line: 'no Lease', lease: 'garden/x' });
  trouble.works();
  expect(said()).toEqual([]);
  for (let at = 0; at < 122_000; at += 2_000) {
    trouble.fails('take it', at < 60_000 ? 'connection refused' : 'timed out');
    await clock.advanceBy(2_000);
  }
  expect(lines[0]).toMatchObject({ level: 'error', line: 'no Lease', lease: 'garden/x' });
  expect(said()).toEqual([
    'cannot take it: connection refused',
    'still cannot take it, for 60.0 s: timed out',
    'still cannot take it, for 2m00s: timed out',
  ]);
  trouble.works();
  trouble.works();
  expect(said()).toEqual(['can take it now, after 2m02s']);
  trouble.fails('renew it', 'no');
  expect(said()).toEqual(['cannot renew it: no']);
});
