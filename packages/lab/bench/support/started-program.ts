import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { freePort } from '../../real/free-port.ts';
import { costOf, type ProcessCost } from './process-cost.ts';
import { StartedProcess } from './started-process.ts';

export type ProgramOptions = Readonly<{ kubeconfig: string; configFile: string; flags?: readonly string[] }>;

/**
 * A watchdog, ours or another, in a process of its own. Nothing that it says or counts is used: what it does is seen by the seed, and what it
 * costs by the kernel. Its output is kept for when it breaks.
 */
export class StartedProgram extends StartedProcess {
  readonly #output: string;

  private constructor(command: string, role: RoleName, options: ProgramOptions, own: readonly string[]) {
    let output = '';
    super(options.kubeconfig, (kubeconfig, directory) => {
      output = join(directory, 'output');
      const file = openSync(output, 'w');
      // The Go watchdog would open the same port for its profile in each replica.
      const seed = [`--config-file=${options.configFile}`, `--kubeconfig=${kubeconfig}`, '--pprof-bind-addr=0'];
      const words = [role, ...seed, ...own, ...(options.flags ?? [])];
      const child = spawn('sh', ['-c', `exec ${command} "$@"`, 'sh', ...words], { stdio: ['ignore', file, file] });
      closeSync(file);
      return child;
    });
    this.#output = output;
  }

  /** Runs the words of a shell, and appends the role and the flags. The shell is replaced by the program. */
  static async start(command: string, role: RoleName, options: ProgramOptions): Promise<StartedProgram> {
    const own = await Promise.all(
      ['metrics', 'health'].map(async (what) => `--${what}-bind-addr=127.0.0.1:${await freePort()}`),
    );
    return new StartedProgram(command, role, options, own);
  }

  get cost(): ProcessCost | undefined {
    return costOf(this.child.pid);
  }

  /** Throws where it has ended, with what it said last. */
  refuseEnd(): void {
    if (!this.hasEnded) return;
    const lines = readFileSync(this.#output, 'utf8').trim().split('\n');
    // A panic of Go's is followed by the stacks of all that ran.
    const told = lines.find((line) => line.startsWith('panic: ')) ?? lines.slice(-2).join(' / ');
    throw new Error(`it ended with ${this.child.exitCode ?? this.child.signalCode}: ${told.slice(0, 200)}`);
  }
}
