import { seedOfChance } from 'dependency-watchdog/domain/backoff.ts';
import type { Observable } from 'rxjs';
import { systemChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { CommandIo } from 'dependency-watchdog/commands/command.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import type { Places } from './places.ts';
import type { Terminal } from 'dependency-watchdog/commands/terminal/terminal.ts';

/** What surrounds the command when it plays a story, apart from its flags. */
export type StorySurroundings = Readonly<{
  io: CommandIo;
  /** Absent if the output is not a terminal. */
  terminal?: Terminal | undefined;
  /** Whether lines that go elsewhere are coloured too. Absent: they are not. */
  colours?: boolean | undefined;
  /** Makes the story's clock, which runs `speed` times as fast as the machine's. Absent: the usual one. */
  clockAt?: ((speed: number) => Clock) | undefined;
  /** Emits when somebody wants the run to end. */
  interrupted$: Observable<unknown>;
  /** Emits when a script wants another outage. */
  another$?: Observable<unknown> | undefined;
  /** The keys that are pressed. Absent if there is no keyboard. */
  keys$?: Observable<string> | undefined;
}>;

/** Prints a line for the operator that is not part of the story. */
export function sayTo({ io }: StorySurroundings): (line: string) => void {
  return (line) => io.err(`dependency-watchdog simulate: ${line}`);
}

/** The options of a run that both stories have. */
export type RunOptions = Readonly<{
  seedNumber: number;
  speed: number;
  shoots: number;
  /** Where the configuration comes from, for people. */
  configName: string;
  clock: Clock;
  /** The flags to add after `--seed=…` to see the same story again: ` --shoots=2`, or nothing. */
  again: string;
}>;

/** The name of the configuration that is used when the operator gives none. */
export const usualConfigName = "Gardener's configuration";

/** The options of a run whose seed and role are there. */
export type StartedRun = RunOptions &
  Readonly<{
    places: Places;
    /** Whether the seed stays up after the story, and whether keys are heard then. */
    keep: boolean;
    keys: boolean;
  }>;

export function runOptions(flags: SimulateFlags, speed: number, clock: Clock): RunOptions {
  return {
    seedNumber: flags.seed ?? seedOfChance(systemChance()),
    speed,
    shoots: flags.shoots,
    configName: flags.configFile ?? usualConfigName,
    clock,
    again: flags.given.map((flag) => ` ${flag}`).join(''),
  };
}

/** How the clock runs, and the seed number of the run: `s simulated, clock ×3.8   --seed=7`. */
export function runTitle({ speed, seedNumber }: Pick<RunOptions, 'speed' | 'seedNumber'>): string {
  return `${speed === 1 ? 's in real time' : `s simulated, clock ×${speed}`}   --seed=${seedNumber}`;
}

/** The flags that repeat what was drawn: replicas, phases, jitter. How long things take is this machine's affair, and is not repeated. */
export function againLine({ seedNumber, again }: Pick<RunOptions, 'seedNumber' | 'again'>): string {
  return `The same draw again: --seed=${seedNumber}${again}`;
}

/** The first lines of a run that is shown in lines. `what` names the shoots; `pace` adds to what is said about the clock. */
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
