import * as fc from 'fast-check';
import { firstValueFrom, timer } from 'rxjs';
import { expect, test } from 'vitest';
import { seededChance, systemChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { scaledClock, systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import { Agenda } from '../store/agenda.ts';
import { microTime } from '../store/kube-object.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

test.each<readonly [string, () => Clock, number]>([
  ['the system clock', () => systemClock, 1],
  ['a clock at sixty times the speed', () => scaledClock(60), 60],
  ['a slow clock', () => scaledClock(0.25), 0.25],
])('%s never wakes early, whatever fraction of a millisecond it is asked for', async (_, make, speed) => {
  const clock = make();
  const chance = seededChance(11);
  const waits = Array.from({ length: 300 }, () => {
    const at = clock.now() + (chance() * 60 - 5) * speed;
    return firstValueFrom(clock.wakeAt(at)).then((woke) => ({ early: at - woke, told: woke - clock.now() }));
  });
  for (const { early, told } of await Promise.all(waits)) {
    expect(early).toBeLessThanOrEqual(0);
    expect(told).toBeLessThanOrEqual(0);
  }
});

test('a scaled clock starts at the machine’s time, and runs so many times as fast', async () => {
  const before = Date.now();
  const started = scaledClock(1).now();
  expect(started).toBeGreaterThanOrEqual(before);
  expect(started).toBeLessThanOrEqual(Date.now() + 1);

  const clock = scaledClock(1_000);
  // Each reading between two of the machine's, so that it does not matter how long this test stands still.
  const reading = () => ({ after: performance.now(), told: clock.now(), before: performance.now() });
  const first = reading();
  await firstValueFrom(clock.wakeAt(first.told + 50_000));
  const last = reading();
  const passed = (last.told - first.told) / 1_000;
  expect(passed).toBeGreaterThanOrEqual(50);
  expect(passed).toBeGreaterThanOrEqual(last.after - first.before - 0.001);
  expect(passed).toBeLessThanOrEqual(last.before - first.after + 0.001);
  expect(() => scaledClock(0)).toThrow('a clock runs at a speed above 0, not 0');
});

test('a wake beyond the longest timer is no wake at once; whoever leaves is not woken', async () => {
  const warnings: string[] = [];
  const warn = ({ name }: Error): number => warnings.push(name);
  process.on('warning', warn);
  const woken: string[] = [];
  const far = systemClock.wakeAt(systemClock.now() + 2 ** 40).subscribe(() => woken.push('far'));
  const left = systemClock.wakeAt(systemClock.now() + 1).subscribe(() => woken.push('left'));
  left.unsubscribe();
  await firstValueFrom(timer(20));
  far.unsubscribe();
  process.off('warning', warn);
  expect(woken).toEqual([]);
  // Node tells of a timer that is too long, and then lets it fire after a millisecond.
  expect(warnings).toEqual([]);
});

const draw = (seed: number): number[] => {
  const chance = seededChance(seed);
  return Array.from({ length: 1_000 }, () => chance());
};

test('chance is at least 0 and below 1; the same seed gives the same numbers, another one others', () => {
  const drawn = draw(1);
  for (const number of [...drawn, systemChance()]) expect(number >= 0 && number < 1).toBe(true);
  expect(draw(1)).toEqual(drawn);
  expect(draw(2)).not.toEqual(drawn);
  const mean = drawn.reduce((sum, number) => sum + number, 0) / drawn.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
});

const byIndex = (a: { index: number }, b: { index: number }): number => a.index - b.index;

const appointment = fc.record({ at: fc.nat(500), cancelled: fc.boolean(), again: fc.option(fc.nat(200)) });

test('an agenda keeps every appointment at its time, in order, on one timer, but the cancelled ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(appointment, { maxLength: 50 }), async (appointments) => {
      const clock = new VirtualClock();
      const agenda = new Agenda(clock);
      const kept: { index: number; at: number }[] = [];
      for (const [index, { at, cancelled, again }] of appointments.entries()) {
        const cancel = agenda.at(at, () => {
          kept.push({ index, at: clock.now() });
          if (again !== null) agenda.after(again, (now) => kept.push({ index: index + 1_000, at: now }));
        });
        if (cancelled) cancel();
      }
      expect(clock.sleeping).toBeLessThanOrEqual(1);
      await clock.advanceTo(1_000);
      const expected = appointments.flatMap(({ at, cancelled, again }, index) => [
        ...(cancelled ? [] : [{ index, at }]),
        ...(cancelled || again === null ? [] : [{ index: index + 1_000, at: at + again }]),
      ]);
      expect(kept.map(({ at }) => at)).toEqual(expected.map(({ at }) => at).toSorted((a, b) => a - b));
      expect(kept.toSorted(byIndex)).toEqual(expected.toSorted(byIndex));
      expect(clock.sleeping).toBe(0);
    }),
  );
});

test('a MicroTime has six digits, whatever fraction the clock tells', () => {
  expect(microTime(Date.parse('2026-11-21T12:00:00Z'))).toBe('2026-11-21T12:00:00.000000Z');
  expect(microTime(Date.parse('2026-11-21T12:00:00.007Z') + 0.0625)).toBe('2026-11-21T12:00:00.007062Z');
});
