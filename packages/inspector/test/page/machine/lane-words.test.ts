import { expect, test } from 'vitest';
import type { Lane, LaneSpan } from '../../../model/timeline/lanes.ts';
import { laneLines } from '../../../page/machine/lane-words.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');
const span = (label: string, words: string, from: number, until: number | null): LaneSpan => ({
  tone: 'down',
  label,
  words,
  from: noon + from,
  until: until === null ? null : noon + until,
});
const dependant: Lane = {
  id: 'dependant a',
  name: 'kube-controller-manager',
  shows: 'dependant',
  spans: [
    span('2 ready → 0 wanted', '0 replicas wanted, 2 ready', 100, 520),
    span('at 0', '0 replicas wanted', 520, null),
  ],
  under: [span('writes', 'scale it to 0', 90, 150)],
};

test.each<[string, Lane, number, readonly string[]]>([
  [
    'what is seen, and what is on its way, each from when to when and how long',
    dependant,
    120,
    [
      '0 replicas wanted, 2 ready · 12:00:00.1 to 12:00:00.5, 0.42 s',
      'writes: scale it to 0 · 12:00:00.0 to 12:00:00.1, 0.06 s',
    ],
  ],
  ['since when it goes on', dependant, 900, ['0 replicas wanted · since 12:00:00.5']],
  ['that nothing is known', dependant, 10, ['nothing is known']],
  [
    'how old a lease is, and since when it is expired',
    {
      id: 'lease a',
      name: 'node-a',
      shows: 'lease',
      ages: { renewed: [noon], seen: [noon + 31_000] },
      spans: [span('expired', 'expired', 30_000, 31_000)],
    },
    30_500,
    ['30.5 s old, renewed at 12:00:00.0, 0.50 s beyond the limit of 30 s', 'expired · 12:00:30.0 to 12:00:31.0, 1 s'],
  ],
])('9.7 a lane says %s', (_, lane, at, lines) => {
  const limits = [{ at: noon, limit: 30_000, grace: 40_000 }];
  expect(laneLines(lane, noon + at, limits, 'utc')).toEqual(lines);
});
