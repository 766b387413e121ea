import { expect, test } from 'vitest';
import { episodesOf, shownEpisode } from '../../../page/machine/machine-episodes.tsx';
import { anEpisode } from '../stage.ts';

const [subject, noon] = ['shoot--dev--one', Date.parse('2026-11-23T12:00:00Z')];
const minute = 60_000;
const [first, second, open] = [
  anEpisode({ id: 'first', beganAt: noon, endedAt: noon + minute }),
  anEpisode({ id: 'second', kind: 'refusal', beganAt: noon + 5 * minute, endedAt: noon + 9 * minute }),
  anEpisode({ id: 'open', beganAt: noon + 8 * minute }),
];
const strangers = [anEpisode({ subject: 'shoot--dev--two' }), anEpisode({ machine: 'weeder', subject })];
const own = episodesOf([open, ...strangers, second, first], 'shoot', subject);

test('9.7 what happened to a shoot stands at its top, oldest first, and nothing of others', () => {
  expect(own.map(({ id }) => id)).toEqual(['first', 'second', 'open']);
});

test.each([
  ['before all', -1, undefined],
  ['in the first', 0.5, 'first'],
  ['between two', 2, undefined],
  ['where two overlap, in the last', 8.5, 'open'],
  ['in the one that goes on', 99, 'open'],
])('9.7 which of them is shown: of a turn %s', (_, minutes, id) => {
  expect(shownEpisode(own, noon + minutes * minute)?.id).toBe(id);
});
