import { expect, test } from 'vitest';
import { othersThen } from '../../../page/machine/others-then.tsx';
import { anEpisode } from '../stage.ts';

const names = [
  ...['a', 'b', 'c', 'd'].map((subject) => ({ kind: 'shoot' as const, subject })),
  ...['b/etcd', 'd/etcd'].map((subject) => ({ kind: 'weeder' as const, subject })),
];
const [from, until] = [1_000, 2_000];
const episodes = [
  anEpisode({ subject: 'd', beganAt: from, endedAt: until }),
  anEpisode({ subject: 'c', beganAt: 1_600, endedAt: null }),
  anEpisode({ machine: 'weeder', subject: 'd/etcd', beganAt: 100, endedAt: 200 }),
];
const then = (at: number) =>
  othersThen(names, episodes, { kind: 'shoot', subject: 'b' }, at).map(({ subject }) => subject);

test('9.15 from one shoot to another at the same instant: its own services first, then those to whom something happened then', () => {
  expect(then(1_500)).toEqual(['b/etcd', 'd', 'a', 'c', 'd/etcd']);
  expect(then(2_000)).toEqual(['b/etcd', 'c', 'd', 'a', 'd/etcd']);
  expect(then(2_001)).toEqual(['b/etcd', 'c', 'a', 'd', 'd/etcd']);
});
