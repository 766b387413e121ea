import type { Observable } from 'rxjs';
import { systemChance } from '../../../adapters/clock/chance.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { CommandIo } from '../../command.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import type { Terminal } from './terminal.ts';

/** Where a story is played: what is around the command, beside its flags. */
export type Scene = Readonly<{
  io: CommandIo;
  /** Absent where the output goes elsewhere. */
  terminal?: Terminal | undefined;
  /** The story's, at so many times the speed of the machine's; absent where it is to be that one. */
  clockAt?: ((speed: number) => Clock) | undefined;
  /** Somebody wants it to end. */
  interrupted$: Observable<unknown>;
}>;

/** A line for the operator, beside the story. */
export function sayTo({ io }: Scene): (line: string) => void {
  return (line) => io.err(`dependency-watchdog simulate: ${line}`);
}

/** What every run was begun with, whatever its story. */
export type RunOptions = Readonly<{
  seedNumber: number;
  speed: number;
  shoots: number;
  /** Where the configuration comes from, for people. */
  configName: string;
  clock: Clock;
  /** What belongs behind `--seed=…` to see the same story again: ` --shoots=2`, or nothing. */
  again: string;
}>;

/** What a story is played by where the operator gives no configuration. */
export const usualConfigName = "Gardener's configuration";

export function runOptions(flags: SimulateFlags, speed: number, clock: Clock): RunOptions {
  return {
    seedNumber: flags.seed ?? Math.floor(systemChance() * 2 ** 32),
    speed,
    shoots: flags.shoots,
    configName: flags.configFile ?? usualConfigName,
    clock,
    again: flags.given.map((flag) => ` ${flag}`).join(''),
  };
}

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
