import { describe, expect, test } from 'vitest';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import {
  leastOfStorm,
  nightItems,
  stormOutcome,
  stormWords,
  type NightItem,
} from '../../../page/views/night/night-storms.ts';
import { anEpisode } from '../stage.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const stage = (name: string) => ({ name, at: 0, after: null, turn: null });

/** So many outages, a tenth of a second apart. */
const outages = (count: number, change: (index: number) => Partial<Episode> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    anEpisode({
      id: `${index}`,
      subject: `shoot--dev--${index}`,
      beganAt: at('00:31:45') + index * 100,
      endedAt: at('00:41:02') - index,
      stages: [stage('protected')],
      data: { marginMs: 2_100 + index },
      ...change(index),
    }),
  );

/** The one entry that all of these are. */
function onlyOne(episodes: readonly Episode[]): NightItem {
  const [item, ...more] = nightItems(episodes);
  if (item === undefined || more.length > 0) throw new Error('it is not one entry');
  return item;
}
const storm = onlyOne(outages(60));

describe('9.16 what came to many at once is one entry', () => {
  test('which says how many, from when to when, what it came to, and when all were back', () => {
    expect(stormWords(storm, 'utc', true)).toBe('60 shoots cut off, 00:31:45 to 00:31:50, all back by 00:41:02');
    expect(stormOutcome(storm)).toBe('60 protected in time, the closest 2.1 s before a node could be marked');
  });

  test('which has the gravest first, then all by name, 2 before 10', () => {
    const one = onlyOne(outages(12, (index) => (index === 7 ? { weight: 'bad' } : {})));
    const numbers = one.episodes.map(({ id }) => Number(id));
    expect(numbers).toEqual([7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    expect(one.weight).toBe('bad');
  });

  test.each([
    ['some still cut off', false, '50 back by 00:41:02, 10 still cut off'],
    ['of a record', true, '50 back by 00:41:02, 10 open when the record ends'],
  ])('%s', (_, recorded, ends) => {
    const some = onlyOne(outages(60, (index) => (index % 6 === 5 ? { endedAt: null } : {})));
    expect(some.endedAt).toBeNull();
    expect(stormWords(some, 'utc', recorded)).toBe(`60 shoots cut off, 00:31:45 to 00:31:50, ${ends}`);
  });

  test('of which some came too late, were not scaled down, or were raised', () => {
    const stages = [[stage('too late')], [], [stage('protected'), stage('raised')]];
    const one = onlyOne(outages(6, (index) => ({ stages: stages[index % 3] ?? [], data: { marginMs: -5 } })));
    expect(stormOutcome(one)).toBe(
      '2 protected in time; 2 too late; 2 not scaled down as a whole; somebody else raised a dependant in 2',
    );
  });

  test.each([
    ['too few', outages(leastOfStorm - 1), leastOfStorm - 1],
    ['each long after the other', outages(9, (index) => ({ beganAt: index * 11_000 })), 9],
    ['of one shoot', outages(9, () => ({ subject: 'shoot--dev--one' })), 9],
    ['of two kinds', outages(8, (index) => ({ kind: index % 2 === 0 ? 'outage' : 'refusal' })), 8],
    ['enough', outages(leastOfStorm), 1],
  ])('%s', (_, episodes, entries) => {
    expect(nightItems(episodes).length).toBe(entries);
  });

  test('it stands where its first entry stood, and what lies between stays there', () => {
    const other = anEpisode({ id: 'other', kind: 'bug', beganAt: at('00:31:46') });
    const keys = nightItems(outages(5).toSpliced(1, 0, other)).map(({ key }) => key);
    expect(keys).toEqual([`outage-${at('00:31:45')}`, 'other']);
  });

  test('all who sleep at the same hour are one, too', () => {
    const one = onlyOne(outages(40, () => ({ kind: 'pause', endedAt: null, weight: 'notable' })));
    expect(stormWords(one, 'utc', false)).toBe('40 shoots not probed, 00:31:45 to 00:31:48, 40 still not probed');
    expect(stormOutcome(one)).toBe('');
  });
});
