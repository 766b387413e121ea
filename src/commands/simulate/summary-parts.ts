import type { Millis } from '../../domain/time.ts';
import { lengthText } from './length-text.ts';
import { piece, type PaintedLine } from './painted-line.ts';
import type { RunOptions } from './storyteller.ts';

/** Stands for a figure that there is none of. */
export const none = '-';

/** From here on the figures say more about this machine than about the watchdog. */
const muchTooLate: Millis = 500;

/** A length, or the sign that there is none. */
export function figure(length: Millis | undefined): string {
  return length === undefined ? none : lengthText(length);
}

/** What of the figures may be the fault of this machine. */
export function honestyLine(
  { latest, length }: Readonly<{ latest: Millis; length: Millis }>,
  { speed }: Pick<RunOptions, 'speed'>,
): PaintedLine {
  const unit = speed === 1 ? 's in real time' : `simulated s (clock ×${speed})`;
  const told = `${(length / 1_000).toFixed(0)} ${unit}; this machine was late by ${lengthText(latest)} of them at most.`;
  const hint = latest > muchTooLate && speed > 1 ? ' A lower --speed tells truer figures.' : '';
  return [piece(told + hint, 'dim')];
}
