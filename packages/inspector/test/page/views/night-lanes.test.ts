import { describe, expect, test } from 'vitest';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { Lead, LeadEvent } from '../../../episodes/led-runs.ts';
import { allTime } from '../../../page/client/address.ts';
import { nightLanes, nightWindow, sharedPrefix } from '../../../page/views/night/night-lanes.ts';
import { nightItems } from '../../../page/views/night/night-storms.ts';
import { anEpisode } from '../stage.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const now = at('04:00:00');
const stage = (name: string, time: string) => ({ name, at: at(time), after: null, turn: null });
const one = (subject: string, change: Partial<Episode> = {}) =>
  anEpisode({
    id: `${subject} ${change.kind ?? ''}`,
    subject,
    beganAt: at('01:00:00'),
    endedAt: at('01:05:00'),
    ...change,
  });

const took: LeadEvent = {
  id: 'b took',
  at: at('01:02:00'),
  role: 'prober',
  run: 'b',
  kind: 'took',
  weight: 'grave',
  sentence: 'b took the lead',
  data: {},
};
const lead: Lead = {
  run: 'b',
  role: 'prober',
  leader: { run: 'b', words: 'the prober b', tookAt: took.at, how: 'ranOut' },
  until: at('01:40:00'),
  events: [took],
};
const lanesOf = (episodes: readonly Episode[], open: readonly string[] = [], window = { from: 0, until: now }) =>
  nightLanes(nightItems(episodes), [lead], window, open, { now, zone: 'utc', recorded: true });

describe('9.16 a night on one axis', () => {
  test('has a lane a shoot, in the order of time, then by name, beneath them who led, and beneath that what the seed refused', () => {
    const first = one('shoot-3', { beganAt: at('00:59:00') });
    const night = [one('shoot-10'), one('shoot-2'), first, one('shoot-2', { kind: 'refusal' })];
    expect(lanesOf(night).map(({ name }) => name)).toEqual([
      'shoot-3',
      'shoot-2',
      'shoot-10',
      'who led',
      'refused, or failed',
    ]);
  });

  test('9.11 shows for how long somebody led, and above that when it took the lead', () => {
    const bars = lanesOf([]).find(({ key }) => key === 'leads')?.bars;
    expect(bars?.map(({ from, until, weight, words }) => [from, until, weight, words])).toEqual([
      [took.at, at('01:40:00'), 'notable', 'the prober b led'],
      [took.at, took.at, 'grave', 'b took the lead'],
    ]);
  });

  test('has one lane for a storm, and one for each of its shoots once it is open', () => {
    const night = Array.from({ length: 12 }, (_, index) => one(`shoot-${index}`, { beganAt: at('01:00:00') + index }));
    const [storm] = lanesOf(night);
    expect([storm?.name, lanesOf(night).length]).toEqual(['12 shoots', 2]);
    expect(storm?.bars[0]?.words).toBe('12 shoots cut off, 01:00:00 to 01:00:00, all back by 01:05:00');
    const names = lanesOf(night, [storm?.key ?? '']).map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(['12 shoots', 'shoot-0', 'shoot-1', 'shoot-2']);
    expect(names.length).toBe(14);
  });

  test('has the stages of an outage in its bar, what somebody raised in red, and the gravest bar on top', () => {
    const raised = one('shoot-1', {
      weight: 'bad',
      stages: [
        stage('cut off', '01:00:00'),
        stage('protected', '01:00:01'),
        stage('raised', '01:02:00'),
        stage('scaled down again', '01:02:04'),
        stage('connected again', '01:04:00'),
        stage('brought back', '01:05:00'),
      ],
    });
    const [lane] = lanesOf([raised, one('shoot-1', { kind: 'oddLeases', weight: 'notable' })]);
    expect(lane?.bars.map(({ weight }) => weight)).toEqual(['notable', 'bad']);
    expect(lane?.bars[1]?.parts[1]?.words).toBe('protected → raised');
    expect(lane?.bars[1]?.parts.map(({ means, from }) => [means, (from - at('01:00:00')) / 1_000])).toEqual([
      ['danger', 0],
      ['held', 1],
      ['danger', 120],
      ['held', 124],
      ['returning', 240],
    ]);
  });

  test('has of a storm when the last of them came to each stage', () => {
    const night = Array.from({ length: 5 }, (_, index) =>
      one(`shoot-${index}`, {
        stages: [
          stage('cut off', `01:00:0${index}`),
          stage('protected', `01:00:1${index}`),
          stage('brought back', '01:05:00'),
        ],
      }),
    );
    expect(lanesOf(night)[0]?.bars[0]?.parts).toEqual([
      { from: at('01:00:00'), until: at('01:00:14'), means: 'danger', words: 'cut off → protected' },
      { from: at('01:00:14'), until: at('01:05:00'), means: 'held', words: 'protected → brought back' },
    ]);
  });

  test('goes on until now, and leaves out what is not in sight', () => {
    const open = one('shoot-1', { endedAt: null });
    expect(lanesOf([open])[0]?.bars[0]?.until).toBe(now);
    const later = { from: at('02:00:00'), until: at('03:00:00') };
    expect(lanesOf([open, one('shoot-2')], [], later).map(({ name }) => name)).toEqual(['shoot-1']);
  });
});

test.each([
  [['shoot--dev--a', 'shoot--prod--b'], 'shoot--'],
  [['shoot--dev--a', 'shoot--dev--ab'], 'shoot--'],
  [['shoot--dev--a/etcd', 'shoot--dev--a/apiserver'], 'shoot--'],
  [['shoot--dev--a', 'seed--a'], ''],
  [['shoot--dev--a'], ''],
  [['a', 'b'], ''],
  [[], ''],
])('9.16 the names %j lose what they share', (names, prefix) => {
  expect(sharedPrefix(names)).toBe(prefix);
});

describe('9.16 what is seen of a night', () => {
  const sleeps = one('shoot-1', { beganAt: at('00:00:00'), endedAt: null, kind: 'pause', weight: 'notable' });
  test('is what was grave, and not the hours in which shoots sleep', () => {
    const seen = nightWindow(nightItems([sleeps, one('shoot-2')]), allTime, now);
    expect(seen).toEqual({ from: at('01:00:00') - 6_000, until: at('01:05:00') + 6_000 });
  });
  test('holds what the headline counts, though it ended well', () => {
    const recovered = one('n/etcd', { kind: 'recovery', weight: 'notable', beganAt: at('00:30:00') });
    expect(nightWindow(nightItems([recovered, one('shoot-2')]), allTime, now)?.from).toBeLessThan(at('00:30:00'));
  });
  test('is all of it where nothing was grave, and nothing where nothing was', () => {
    expect(nightWindow(nightItems([sleeps]), allTime, now)?.from).toBeLessThan(at('00:00:00'));
    expect(nightWindow([], allTime, now)).toBeUndefined();
  });
  test('is the part of time that somebody chose', () => {
    const range = { from: at('01:01:00'), until: null };
    expect(nightWindow(nightItems([one('shoot-2')]), range, now)).toMatchObject({ from: range.from });
    expect(nightWindow([], { from: 5, until: 9 }, now)).toEqual({ from: 5, until: 9 });
  });
});
