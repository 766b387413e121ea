import { defer, repeat } from 'rxjs';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

/** After 5 s a run looks as if it hung. */
const longestSilence = 4_000;
const lookEvery = 500;

export type Progress = Readonly<{
  say(line: string): void;
  /** What goes on from now on; said wherever nothing else was for some seconds. */
  goesOn(words: () => string): void;
  stop(): void;
}>;

/** Tells what the run is doing, so that it is never silent for 5 s. `write` takes a line, with the seconds since the beginning before it. */
export function progress(clock: Clock, write: (line: string) => void): Progress {
  const begin = clock.now();
  let saidAt = begin;
  let current: (() => string) | undefined;
  const say = (line: string): void => {
    saidAt = clock.now();
    write(`${((saidAt - begin) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
  };
  const looking = defer(() => clock.wakeAt(clock.now() + lookEvery))
    .pipe(repeat())
    .subscribe(() => {
      if (clock.now() - saidAt >= longestSilence) say(`… ${current?.() ?? 'starting'}`);
    });
  return {
    say,
    goesOn(words) {
      current = words;
    },
    stop: () => looking.unsubscribe(),
  };
}
