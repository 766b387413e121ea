import { expect, test } from 'vitest';
import { leadsOf } from '../../episodes/led-runs.ts';
import { leaderLane } from '../../model/timeline/leader-lane.ts';

const lead = (pod: string, tookAt: number, how: 'free' | 'ranOut', lastAt?: number) => ({
  run: pod,
  program: 'dependency-watchdog prober',
  openedAt: tookAt,
  lead: { identity: `dependency-watchdog-prober-${pod}_1`, tookAt, how },
  ...(lastAt === undefined ? {} : { lastAt }),
});
const lanesOf = (runs: Parameters<typeof leadsOf>[0], ...own: readonly string[]) =>
  leaderLane(leadsOf(runs), new Set(own), ({ sentence }) => sentence);

test('9.11 a lane says who led, who took the lead from whom, and when nobody did', () => {
  const [lane] = lanesOf([lead('a', 0, 'free', 60_000), lead('b', 76_000, 'ranOut')], 'b');
  expect(lane?.spans.map(({ label, tone, from, until }) => [label, tone, from, until])).toEqual([
    ['prober-a', 'calm', 0, 60_000],
    ['nobody', 'unknown', 60_000, 76_000],
    ['prober-b', 'calm', 76_000, null],
  ]);
  expect(lane?.spans[2]?.words).toMatch(
    /^the prober dependency-watchdog-prober-b took the lead at 00:01:16.0 from dependency-watchdog-prober-a, which had not/,
  );
});

test('9.11 where it is not recorded who led, or another role did, there is no such lane', () => {
  const { lead: _, ...older } = lead('a', 0, 'free');
  expect(lanesOf([older], 'a')).toEqual([]);
  expect(lanesOf([lead('a', 0, 'free')], 'of another role')).toEqual([]);
});
