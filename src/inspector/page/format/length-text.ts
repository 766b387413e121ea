import type { Millis } from '../../../domain/time.ts';

/** A length of time with its unit: `0.05 s` below a second, `31.2 s`, from two minutes on `2m05s`, from an hour on `3h04m`, from a day on `2d03h`. */
export function lengthText(millis: Millis): string {
  const size = Math.abs(millis);
  if (size < 1_000) return `${(millis / 1_000).toFixed(2)} s`;
  if (size < 120_000) return `${(millis / 1_000).toFixed(1)} s`;
  return `${millis < 0 ? '-' : ''}${longText(Math.round(size / 1_000))}`;
}

/** The same in whole seconds, for what counts down or up before somebody's eyes: `12 s`, `2m05s`. */
export function calmText(millis: Millis): string {
  const whole = Math.max(0, Math.round(millis / 1_000));
  return whole < 120 ? `${whole} s` : longText(whole);
}

function longText(seconds: number): string {
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 24) return `${hours}h${two(minutes % 60)}m`;
  return `${Math.trunc(hours / 24)}d${two(hours % 24)}h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
