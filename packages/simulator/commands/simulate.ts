import process from 'node:process';
import { fromEvent, merge } from 'rxjs';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { journalDirectoryProblem } from 'dependency-watchdog/adapters/record/journal/journal-directory.ts';
import { refuse, type CommandIo } from 'dependency-watchdog/commands/command.ts';
import { simulateEtcdOutage } from './simulate/etcd-outage/etcd-outage.ts';
import { simulateNetworkOutage } from './simulate/network-outage/network-outage.ts';
import { readSimulateFlags } from './simulate/story/simulate-flags.ts';
import type { StorySurroundings } from './simulate/story/story-run.ts';
import { processKeys } from './simulate/story/orders.ts';
import { processTerminal, wantsColours } from 'dependency-watchdog/commands/terminal/terminal.ts';

/** What is around the command, beside its output. */
export type Surroundings = Omit<StorySurroundings, 'io'>;

/**
 * `simulate`: starts a seed in this process, runs the watchdog on it, and plays a story to it. Answers 0 where the watchdog did
 * what the story shows it for, 1 otherwise, and where it was interrupted.
 */
export async function runSimulate(
  args: readonly string[],
  io: CommandIo,
  surroundings: Surroundings = usualSurroundings(io.env),
): Promise<number> {
  const read = readSimulateFlags(args);
  if (!read.ok) return refuse(read, io);
  const { flags } = read;
  const problem =
    flags.journalDir === undefined ? undefined : await journalDirectoryProblem(flags.journalDir, systemClock);
  if (problem !== undefined) {
    io.err(`dependency-watchdog simulate: ${problem}`);
    return 1;
  }
  const scene = { io, ...surroundings };
  return flags.story === 'etcd-outage'
    ? await simulateEtcdOutage(flags, scene)
    : await simulateNetworkOutage(flags, scene);
}

function usualSurroundings(env: NodeJS.ProcessEnv): Surroundings {
  return {
    terminal: processTerminal(process.stdout, env),
    colours: wantsColours(process.stdout, env),
    // SIGHUP: the terminal is closed, and the kubeconfig must not stay behind.
    interrupted$: merge(...['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => fromEvent(process, signal))),
    // Node takes SIGUSR1 for its debugger.
    another$: fromEvent(process, 'SIGUSR2'),
    keys$: processKeys(process.stdin),
  };
}
