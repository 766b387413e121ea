import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { rulerStep, type TimeWindow } from '../../model/timeline/time-window.ts';
import { dayText, timeText, type Zone } from '../format/texts.ts';

const minute: Millis = 60_000;
const day: Millis = 86_400_000;

/** The marks of a window's ruler, at most so many: full hours, minutes or seconds of the reader's zone. */
export function rulerTicks(
  window: TimeWindow,
  most: number,
  zone: Zone,
): readonly Readonly<{ at: Instant; step: Millis }>[] {
  const step = rulerStep(window, most);
  const offset = zone === 'utc' ? 0 : new Date(window.from).getTimezoneOffset() * minute;
  const ticks: { at: Instant; step: Millis }[] = [];
  for (let at = Math.ceil((window.from - offset) / step) * step + offset; at <= window.until; at += step)
    ticks.push({ at, step });
  return ticks;
}

/** As precise as the step between two marks: `12:00`, `12:00:44`, `12:00:44.150`; at midnight, and from a day on, the date. */
export function rulerText(at: Instant, step: Millis, zone: Zone): string {
  const text = timeText(at, zone);
  if (step >= day || text.startsWith('00:00:00.0')) return dayText(at, zone).slice(0, -5);
  if (step < 100) return `${text.slice(0, -1)}${String(Math.floor(at) % 1_000).padStart(3, '0')}`;
  if (step < 1_000) return text;
  return text.slice(0, step < minute ? 8 : 5);
}
