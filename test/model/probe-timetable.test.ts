import { expect, test } from 'vitest';
import { ProbeTimetable } from '../../src/effects/probe-timetable.ts';

const second = 1_000;

test('4.6 while few shoots are down each one has its place when it wants it', () => {
  const timetable = new ProbeTimetable();
  for (let shoot = 0; shoot < 300; shoot++) {
    const wanted = 5_000 + shoot * (5_000 / 300);
    expect(timetable.reserve(0, wanted, 30_000)).toBe(wanted);
  }
});

test('4.6 a thousand shoots that are cut off at once share 60 probes a second, in the order in which they asked', () => {
  const timetable = new ProbeTimetable();
  const places = Array.from({ length: 1_000 }, () => timetable.reserve(0, 5_000, 30_000));
  expect(places.every((place) => place !== undefined && place >= 5_000 && place < 5_000 + 17 * second)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one! - other!));
  for (let from = 5_000; from < 20_000; from += second)
    expect(places.filter((place) => place! >= from && place! < from + second)).toHaveLength(60);
});

test('4.6 whoever has no place before its regular probe takes none from the others', () => {
  const timetable = new ProbeTimetable();
  for (let shoot = 0; shoot < 60; shoot++) timetable.reserve(0, 5_000, 6_000);
  expect(timetable.reserve(0, 5_000, 6_000)).toBeUndefined();
  expect(timetable.reserve(0, 5_000, 7_000)).toBe(6_000);
});

test('4.6 a place that is wanted late leaves those before it to others', () => {
  const timetable = new ProbeTimetable();
  expect(timetable.reserve(0, 60_000, 90_000)).toBe(60_000);
  expect(timetable.reserve(0, 1_000, 90_000)).toBe(1_000);
});

test('4.6 a day of outages leaves nothing behind but the last stretches', () => {
  const timetable = new ProbeTimetable();
  for (let at = 0; at < 86_400_000; at += second) timetable.reserve(at, at + 5_000, at + 30_000);
  expect(timetable.size).toBeLessThanOrEqual(1_000);
});
