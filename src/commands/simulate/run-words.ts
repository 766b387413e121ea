import type { RunOptions } from './storyteller.ts';

/** How the clock runs, and what to begin the same run with: `s simulated, clock ×3.8   --seed=7`. */
export function runTitle({ speed, seedNumber }: Pick<RunOptions, 'speed' | 'seedNumber'>): string {
  return `${speed === 1 ? 's in real time' : `s simulated, clock ×${speed}`}   --seed=${seedNumber}`;
}

/** What to begin a run with, for it to tell the same story. */
export function againLine({ seedNumber, again }: Pick<RunOptions, 'seedNumber' | 'again'>): string {
  return `The same again: --seed=${seedNumber}${again}`;
}

/** How a run begins, where it is told in lines; `what` are the shoots, `pace` is said of the clock beyond its speed. */
export function beginningLines(options: RunOptions, what: string, pace = ''): readonly string[] {
  const { configName, speed } = options;
  return [
    `dependency-watchdog simulate: ${what}, ${configName}`,
    speed === 1
      ? 'The clock runs in real time.'
      : `The clock runs ${speed} times as fast as real time${pace}; all seconds are its own.`,
    againLine(options),
    '',
  ];
}
