import { describe, expect, test } from 'vitest';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { nightFigures, rangeText } from '../../../page/views/night/night-rows.ts';
import {
  leastOfStorm,
  nightItems,
  stormName,
  stormWords,
  type NightItem,
} from '../../../page/views/night/night-storms.ts';
import { anEpisode } from '../stage.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const now = at('01:00:00');
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

const refused = (subject: string): Partial<Episode> => ({ kind: 'refusal', weight: 'bad', subject });

/** One of several, 20 s apart. */
const recovery = (index: number, data: Record<string, unknown>): Partial<Episode> => ({
  kind: 'recovery',
  machine: 'weeder',
  weight: data['left'] === undefined ? 'notable' : 'grave',
  beganAt: at('00:31:45') + index * 20_000,
  data,
});

/** The one entry that all of these are. */
function onlyOne(episodes: readonly Episode[]): NightItem {
  const [item, ...more] = nightItems(episodes);
  if (item === undefined || more.length > 0) throw new Error('it is not one entry');
  return item;
}
const storm = onlyOne(outages(60));

describe('9.16 what came to many at once is one entry', () => {
  test('which says how many, from when to when, what it came to, and when all were back', () => {
    expect(stormName(storm)).toBe('60 shoots');
    expect(stormWords(storm, 'utc', true)).toBe('cut off, 00:31:45 to 00:31:50, all back by 00:41:02');
    expect(nightFigures(storm, now)).toMatchObject({ outcome: { words: 'all in time' }, margin: '2.1 to 2.2 s' });
  });

  test('which has the gravest first, then all by name, 2 before 10', () => {
    const one = onlyOne(outages(12, (index) => (index === 7 ? { weight: 'grave' } : { weight: 'notable' })));
    const numbers = one.episodes.map(({ id }) => Number(id));
    expect(numbers).toEqual([7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    expect(one.weight).toBe('grave');
  });

  const late: Partial<Episode> = { weight: 'bad', odds: [{ what: 'tooLate', words: 'was 0.45 s too late', by: 450 }] };

  test('of which one that was too late, or interfered with, is lifted out', () => {
    const [first, rest] = nightItems(outages(12, (index) => (index === 0 ? late : {})));
    expect([first?.episodes.length, rest?.episodes.length]).toEqual([1, 11]);
    expect(rest?.key).toBe(`outage-${at('00:31:45')}`);
    // Where many are so, that is what it came to.
    expect(nightItems(outages(12, (index) => (index < 6 ? late : {}))).length).toBe(1);
  });

  test.each([
    ['some still cut off', false, '50 back by 00:41:02, 10 still cut off'],
    ['of a record', true, '50 back by 00:41:02, 10 open when the record ends'],
  ])('%s', (_, recorded, ends) => {
    const some = onlyOne(outages(60, (index) => (index % 6 === 5 ? { endedAt: null } : {})));
    expect(some.endedAt).toBeNull();
    expect(stormWords(some, 'utc', recorded)).toBe(`cut off, 00:31:45 to 00:31:50, ${ends}`);
  });

  test('of which some were scaled down in time, and some not as a whole', () => {
    const one = onlyOne(outages(6, (index) => (index % 2 === 0 ? {} : { stages: [stage('decided')], data: {} })));
    expect(nightFigures(one, now).outcome.words).toBe('3 in time, 3 not all down');
  });

  test('what the seed refuses of one shoot at once is one entry, by its name', () => {
    const three = outages(3, () => refused('shoot--dev--one'));
    expect(stormName(onlyOne(three))).toBe('shoot--dev--one');
    expect(nightItems([...three, ...outages(1, () => refused('shoot--dev--two'))]).length).toBe(2);
  });

  test.each([
    ['too few', outages(leastOfStorm - 1), leastOfStorm - 1],
    ['each long after the other', outages(9, (index) => ({ beganAt: index * 11_000 })), 9],
    ['of one shoot', outages(9, () => ({ subject: 'shoot--dev--one' })), 9],
    ['of two kinds', outages(8, (index) => ({ kind: index % 2 === 0 ? 'outage' : 'pause' })), 8],
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
    expect(stormWords(one, 'utc', false)).toBe('not probed, 00:31:45 to 00:31:48, 40 still not probed');
    expect(nightFigures(one, now).outcome.words).toBe('all not probed');
  });

  test('services that fail one after the other, and come back, are one from two on; one that left pods is not', () => {
    const chain = onlyOne(outages(2, (index) => recovery(index, { deletedCount: 2 + index })));
    expect(stormName(chain)).toBe('2 services');
    expect(nightFigures(chain, now).outcome.words).toBe('5 pods restarted');
    const left = outages(3, (index) => recovery(index, index === 2 ? { left: 1 } : { deletedCount: 2 }));
    expect(nightItems(left).map(({ episodes }) => episodes.length)).toEqual([2, 1]);
  });
});

const seen = (name: string, time: string) => ({ ...stage(name), at: at(time) });
const cut = [seen('cut off', '00:31:45'), seen('decided', '00:31:45'), seen('protected', '00:31:46')];
const over = [...cut, seen('connected again', '00:36:45'), seen('brought back', '00:37:21')];
const raised = { what: 'raised', words: 'had a dependant raised by kubectl', by: 0 } as const;

describe('9.16 an entry is a row of figures', () => {
  test.each<[name: string, change: Partial<Episode>, row: string]>([
    [
      'an outage that was in time',
      { stages: over, data: { marginMs: 6_200, broughtBackAfterMs: 36_000 } },
      'in time | 6.2 s | 5m00s | 36 s',
    ],
    [
      'one that was too late',
      { weight: 'bad', stages: over, data: { marginMs: -450, broughtBackAfterMs: 36_000 } },
      '0.45 s too late | −0.45 s | 5m00s | 36 s',
    ],
    [
      'one in which somebody raised what was down, by the nearer of both margins',
      { stages: over, data: { marginMs: 6_200, marginAgainMs: 1_000 }, odds: [raised] },
      'in time, interfered | 1 s | 5m00s | ',
    ],
    [
      'one that goes on',
      { endedAt: null, stages: cut, data: { marginMs: 6_200 } },
      'in time, still down | 6.2 s | 28m15s | ',
    ],
    ['one on its way down', { endedAt: null, stages: cut.slice(0, 2) }, 'on its way down |  | 28m15s | '],
    ['one that was never down in time', { weight: 'bad', stages: cut.slice(0, 2) }, 'not down in time |  | 9m17s | '],
    ['one in which there was nothing to do', { stages: cut.slice(0, 1) }, 'nothing scaled |  | 9m17s | '],
    [
      'a recovery, by its last pod',
      {
        kind: 'recovery',
        stages: [
          seen('down', '00:31:45'),
          seen('back', '00:32:26'),
          seen('first pod deleted', '00:32:27'),
          seen('last pod deleted', '00:32:30'),
        ],
        data: { deletedCount: 9 },
      },
      '9 pods restarted |  | 41 s | 4 s',
    ],
    [
      'a service that is down again',
      { kind: 'recovery', endedAt: null, data: { downAgainAt: 'x' } },
      'down again |  | 28m15s | ',
    ],
    [
      'one with a dependant that is not ready',
      {
        stages: cut,
        data: { marginMs: 4_500, broughtBackAfterMs: 36_000 },
        odds: [{ what: 'notReady', words: 'came back with mcm not ready', by: 0 }],
      },
      'in time, not ready | 4.5 s | 9m17s | 36 s',
    ],
    ['a part that is cut off', { kind: 'partial', data: {} }, 'not scaled |  | 9m17s | '],
    [
      'a part whose nodes may have been marked',
      { kind: 'partial', data: { mayHaveMarked: true } },
      'nodes may have been marked |  | 9m17s | ',
    ],
    [
      'a part whose nodes may be marked by now',
      { kind: 'partial', endedAt: null, data: { mayHaveMarked: true } },
      'nodes may be marked |  | 28m15s | ',
    ],
    ['a refusal that ended', { kind: 'refusal', data: { endedBy: 'done' } }, 'done |  | 9m17s | '],
    ['one that nothing came of', { kind: 'refusal', data: { endedBy: 'needless' } }, 'never done |  | 9m17s | '],
    ['a refusal', { kind: 'refusal', endedAt: null }, 'refused |  | 28m15s | '],
  ])('%s', (_, change, row) => {
    const one = onlyOne(outages(1, () => ({ stages: [], data: {}, ...change })));
    const { outcome, margin, down, back } = nightFigures(one, now);
    expect([outcome.words, margin, down, back].join(' | ')).toBe(row);
  });

  test.each([
    [[], ''],
    [[3_000], '3 s'],
    [[3_000, 8_200, 5_000], '3 to 8.2 s'],
    [[-450, 8_200], '−0.45 to 8.2 s'],
    [[90_000, 180_000], '90 s to 3m00s'],
  ])('%j is told as "%s"', (lengths, text) => {
    expect(rangeText(lengths)).toBe(text);
  });
});
