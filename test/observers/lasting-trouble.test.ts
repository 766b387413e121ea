import { expect, test } from 'vitest';
import { createLog } from '../../src/adapters/log/log.ts';
import { lastingTrouble } from '../../src/commands/role/lasting-trouble.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('9.4 what is tried every 2 s and fails is told at once, each minute with the latest reason, and when it ends', async () => {
  const clock = new VirtualClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = createLog({ level: 'info', clock, write: (line) => void lines.push(JSON.parse(line)) });
  const trouble = lastingTrouble(log, clock, { line: 'no Lease', lease: 'garden/x' });
  const said = () => lines.splice(0).map(({ msg }) => msg);
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
