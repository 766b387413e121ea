import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '../../src/domain/time.ts';
import type { RoleName } from '../../src/commands/role/role.ts';
import { costOf, type ProcessCost } from './process-cost.ts';
import { freePort } from '../../hack/real/free-port.ts';

export type ProgramOptions = Readonly<{ kubeconfig: string; configFile: string; flags?: readonly string[] }>;

/**
 * A watchdog, ours or another, in a process of its own, which ends when it is disposed of. Nothing that it says or counts is
 * used: what it does is seen by the seed, and what it costs by the kernel. Its output is kept for when it breaks.
 */
export class StartedProgram implements AsyncDisposable {
  readonly startedAt: Instant = Date.now();
  readonly #dir: string;
  readonly #child: ChildProcess;

  private constructor(dir: string, child: ChildProcess) {
    this.#dir = dir;
    this.#child = child;
  }

  /** Runs the words of a shell, and appends the role and the flags. The shell is replaced by the program. */
  static async start(command: string, role: RoleName, options: ProgramOptions): Promise<StartedProgram> {
    const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
    const kubeconfig = join(dir, 'kubeconfig');
    writeFileSync(kubeconfig, options.kubeconfig);
    const own = await Promise.all(
      ['metrics', 'health'].map(async (what) => `--${what}-bind-addr=127.0.0.1:${await freePort()}`),
    );
    // The Go watchdog would open the same port for its profile in each replica.
    const words = [
      role,
      `--config-file=${options.configFile}`,
      `--kubeconfig=${kubeconfig}`,
      ...own,
      '--pprof-bind-addr=0',
    ];
    const output = openSync(join(dir, 'output'), 'w');
    const args = ['-c', `exec ${command} "$@"`, 'sh', ...words, ...(options.flags ?? [])];
    const child = spawn('sh', args, { stdio: ['ignore', output, output] });
    closeSync(output);
    return new StartedProgram(dir, child);
  }

  get cost(): ProcessCost | undefined {
    return costOf(this.#child.pid);
  }

  /** Throws where it has ended, with what it said last. */
  refuseEnd(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) return;
    const lines = readFileSync(join(this.#dir, 'output'), 'utf8').trim().split('\n');
    // A panic of Go's is followed by the stacks of all that ran.
    const told = lines.find((line) => line.startsWith('panic: ')) ?? lines.slice(-2).join(' / ');
    throw new Error(`it ended with ${this.#child.exitCode ?? this.#child.signalCode}: ${told.slice(0, 200)}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.ended();
    clearTimeout(late);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
