import { describe, expect, test } from 'vitest';
import { wholeNight } from '../../../page/client/address.ts';
import { timeText } from '../../../page/format/texts.ts';
import {
  countedKind,
  stageMeaning,
  briefly,
  mostNotable,
  nightEpisodes,
  nightGroups,
  stageParts,
  youngest,
  toldSentence,
  zonedSentence,
} from '../../../page/views/night/night-episodes.ts';
import { nightItems } from '../../../page/views/night/night-storms.ts';
import { anEpisode } from '../stage.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);

const night = [
  anEpisode({ id: 'early', beganAt: at('02:10:00'), endedAt: at('02:12:00'), subject: 'shoot--dev--one' }),
  anEpisode({
    id: 'bug',
    kind: 'bug',
    beganAt: at('02:50:00'),
    endedAt: at('02:50:01'),
    sentence: 'a bug',
    lines: ['at x'],
  }),
  anEpisode({ id: 'late', beganAt: at('23:59:00'), endedAt: at('23:59:30'), subject: 'shoot--dev--two' }),
  anEpisode({ id: 'long', beganAt: at('01:00:00'), kind: 'pause', sentence: 'hibernated' }),
  anEpisode({ id: 'new', beganAt: at('03:00:00') }),
];
const ids = (filter: Partial<typeof wholeNight>) =>
  nightEpisodes(night, { ...wholeNight, ...filter }).map(({ id }) => id);

describe('last night', () => {
  test.each([
    ['what goes on comes first, then all in the order of time', {}, ['long', 'new', 'early', 'bug', 'late']],
    ['by kind', { kinds: ['bug', 'pause'] }, ['long', 'bug']],
    ['what goes on', { standing: 'running' }, ['long', 'new']],
    ['what is over', { standing: 'over' }, ['early', 'bug', 'late']],
    ['by the name', { text: 'DEV--two' }, ['late']],
    ['by the sentence, each word', { text: 'leases cut' }, ['new', 'early', 'late']],
    ['by what stands behind it', { text: 'at x' }, ['bug']],
    [
      'in a part of time, what lasted into it too',
      { range: { from: at('02:11:00'), until: at('02:50:00') } },
      ['long', 'early', 'bug'],
    ],
    ['nothing', { text: 'hibernated', standing: 'over' }, []],
  ] as const)('%s', (_, filter, expected) => {
    expect(ids(filter)).toEqual(expected);
  });

  test('what goes on and is grave comes before all that weighs little', () => {
    const grave = anEpisode({ id: 'grave', beganAt: 1 });
    const bad = anEpisode({ id: 'bad', beganAt: 0, weight: 'bad' });
    const notable = anEpisode({ id: 'notable', beganAt: 9, weight: 'notable' });
    expect(nightEpisodes([notable, grave, bad], wholeNight).map(({ id }) => id)).toEqual(['bad', 'grave', 'notable']);
  });

  test('hundreds of pauses that go on hide nothing of what happened', () => {
    const pauses = Array.from({ length: 300 }, (_, index) =>
      anEpisode({ id: `${index}`, kind: 'pause', weight: 'notable', beganAt: index * 3_600_000 }),
    );
    const { items, left } = briefly(nightItems(nightEpisodes([...pauses, ...night], wholeNight)));
    expect(left).toBe(300 - mostNotable);
    expect(items.map(({ key }) => key)).toEqual([
      'long',
      'new',
      '295',
      '296',
      '297',
      '298',
      '299',
      'early',
      'bug',
      'late',
    ]);
    const few = nightItems(night);
    expect(briefly(few)).toEqual({ items: few, left: 0 });
  });

  test('so many at once are those that go on, and the youngest of the others', () => {
    const items = nightItems(nightEpisodes(night, wholeNight));
    const keys = (most: number) => youngest(items, most).map(({ key }) => key);
    expect([keys(5), keys(4), keys(1)]).toEqual([
      ['long', 'new', 'early', 'bug', 'late'],
      ['long', 'new', 'bug', 'late'],
      ['long'],
    ]);
  });

  test('is told hour by hour', () => {
    const groups = nightGroups(nightItems(nightEpisodes(night, wholeNight)), 'utc', null);
    expect(groups.map(({ title, items }) => [title, items.length])).toEqual([
      ['Going on now', 2],
      ['Mon 23 Nov 2026, 02:00 to 03:00', 2],
      ['Mon 23 Nov 2026, 23:00 to 00:00', 1],
    ]);
  });

  test('a record is not live: what nobody ended was open when it ended', () => {
    const endsAt = Date.parse('2026-11-24T00:12:00.5Z');
    const [open] = nightGroups(nightItems(nightEpisodes(night, wholeNight)), 'utc', endsAt);
    expect(open?.title).toBe('Open when the record ends: Tue 24 Nov 2026, 00:12:00.5');
  });

  test.each([
    ['outage', 14, '14 outages'],
    ['recovery', 1, '1 recovery'],
    ['oddLeases', 2, '2 with odd leases'],
  ] as const)('%s × %d', (kind, count, words) => {
    expect(countedKind(kind, count)).toBe(words);
  });
});

const stage = (name: string, at: number) => ({ name, at, after: null, turn: null });

describe('the times of a sentence', () => {
  const beganAt = at('04:05:44.170');
  const told = anEpisode({
    beganAt,
    endedAt: beganAt + 60_000,
    stages: [stage('back', beganAt + 30_000)],
    sentence: 'cut off at 04:05:44.1, back at 04:06:14.1, over at 04:06:44.1, and 09:09:09.9 is none of its own',
  });

  test('are told to whoever opens its shoot with why it was late', () => {
    const late = { what: 'tooLate', words: 'was 1 s too late: why', by: 1 } as const;
    expect(toldSentence({ ...told, odds: [late] }, 'utc')).toBe(`${told.sentence}; it was 1 s too late: why`);
    expect(toldSentence({ ...told, odds: [{ ...late, what: 'raised' }] }, 'utc')).toBe(told.sentence);
  });

  test('are UTC as they are told', () => {
    expect(zonedSentence(told, 'utc')).toBe(told.sentence);
  });

  test('or of the reader’s zone, where they are its own', () => {
    const [cutOff, back, over] = [0, 30_000, 60_000].map((later) => timeText(beganAt + later, 'local'));
    expect(zonedSentence(told, 'local')).toBe(
      `cut off at ${cutOff}, back at ${back}, over at ${over}, and 09:09:09.9 UTC is none of its own`,
    );
  });
});

describe('the bar of an episode', () => {
  const outage = [
    stage('cut off', 0),
    stage('decided', 100),
    stage('protected', 1_000),
    stage('connected again', 91_000),
    stage('brought back', 100_000),
  ];

  test('has a part for the time from stage to stage', () => {
    const parts = stageParts({ stages: outage, endedAt: 100_000 }, 999_999);
    expect(parts.map(({ from, to, length, goesOn }) => [from, to, length, goesOn])).toEqual([
      ['cut off', 'decided', 100, false],
      ['decided', 'protected', 900, false],
      ['protected', 'connected again', 90_000, false],
      ['connected again', 'brought back', 9_000, false],
    ]);
  });

  test('goes on until now', () => {
    const parts = stageParts({ stages: outage.slice(0, 3), endedAt: null }, 61_000);
    expect(parts.at(-1)).toMatchObject({ from: 'protected', to: null, length: 60_000, goesOn: true });
  });

  test.each([
    ['nothing has a length', [stage('a', 5), stage('b', 5)], 5, [0]],
    ['a clock went back', [stage('a', 5), stage('b', 3), stage('c', 13)], 13, [0, 10]],
    ['there is one stage only', [stage('a', 5)], 5, []],
    ['there is none', [], 5, []],
  ])('stands where %s', (_, stages, endedAt, lengths) => {
    expect(stageParts({ stages, endedAt }, 99).map(({ length }) => length)).toEqual(lengths);
  });

  test.each([
    ['cut off', 'danger'],
    ['protected', 'held'],
    ['connected again', 'returning'],
    ['refused', 'refused'],
    ['paused', 'apart'],
    ['constructor', 'apart'],
  ])('after "%s" it is %s', (name, meaning) => {
    expect(stageMeaning(name)).toBe(meaning);
  });
});
