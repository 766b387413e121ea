import process from 'node:process';
import { fromEvent, merge, type Observable } from 'rxjs';
import { systemChance } from '../adapters/chance.ts';
import { readConfigFile } from '../adapters/config-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { readYamlConfig } from '../adapters/yaml-config.ts';
import { readProberConfig } from '../domain/config/read-prober-config.ts';
import type { ProberConfig } from '../domain/prober-config.ts';
import { refuse, type CommandIo } from './command.ts';
import { refusalReport, warningLines } from './config-report.ts';
import { gardenerProberConfig } from './simulate/gardener-prober-config.ts';
import { jsonStoryteller } from './simulate/json-storyteller.ts';
import { lineStoryteller } from './simulate/line-storyteller.ts';
import type { Terminal } from './simulate/live-screen.ts';
import { liveStoryteller } from './simulate/live-storyteller.ts';
import { processTerminal } from './simulate/process-terminal.ts';
import { runSimulation } from './simulate/run-simulation.ts';
import { readSimulateFlags } from './simulate/simulate-flags.ts';
import { speedFor, storyLengths } from './simulate/story-lengths.ts';

/** What is around the command, beside its output. */
export type Surroundings = Readonly<{
  /** Absent where the output goes elsewhere. */
  terminal?: Terminal | undefined;
  /** Somebody wants it to end. */
  interrupted$: Observable<unknown>;
}>;

/**
 * `simulate`: starts a seed in this process, runs the prober on it, and lets a gateway fail. Answers 0 where every shoot
 * was protected and came back, 1 otherwise, and where it was interrupted.
 */
export async function runSimulate(
  args: readonly string[],
  io: CommandIo,
  { terminal, interrupted$ }: Surroundings = usualSurroundings(io.env),
): Promise<number> {
  const read = readSimulateFlags(args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;
  const configName = flags.configFile ?? "Gardener's configuration";
  const reading =
    flags.configFile === undefined
      ? readYamlConfig(gardenerProberConfig, (written) => readProberConfig(written))
      : await readConfigFile(flags.configFile, (written) => readProberConfig(written));
  if (!reading.ok) {
    for (const line of refusalReport(configName, reading)) io.err(line);
    return 1;
  }
  for (const line of warningLines(reading.warnings)) io.err(line);
  const { config } = reading;
  const twice = nameTwice(config);
  if (twice !== undefined) {
    io.err(`dependency-watchdog simulate: it cannot play two dependants of one name, and ${twice} is there twice`);
    return 1;
  }

  const lengths = storyLengths(config);
  return await runSimulation({
    flags,
    config,
    configName,
    lengths,
    speed: flags.speed ?? speedFor(lengths),
    seedNumber: flags.seed ?? Math.floor(systemChance() * 2 ** 32),
    interrupted$,
    say: (line) => io.err(`dependency-watchdog simulate: ${line}`),
    teller: (options) => {
      if (flags.json) return jsonStoryteller(options, (line) => io.out(line));
      if (terminal === undefined) return lineStoryteller(options, (line) => io.out(line));
      return liveStoryteller(options, terminal, systemClock);
    },
  });
}

function nameTwice({ dependants }: ProberConfig): string | undefined {
  const names = dependants.map(({ ref }) => ref.name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

function usualSurroundings(env: NodeJS.ProcessEnv): Surroundings {
  return {
    terminal: processTerminal(process.stdout, env),
    interrupted$: merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')),
  };
}
