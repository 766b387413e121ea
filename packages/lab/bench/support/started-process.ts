import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from 'dependency-watchdog/domain/time.ts';

/** As gardenlet writes them, but for the log level. */
export const gardenersFlags: readonly string[] = [
  '--kube-api-qps=20',
  '--kube-api-burst=100',
  '--enable-leader-election=true',
];

/** A watchdog in a process of its own, which ends when it is disposed of. */
export abstract class StartedProcess implements AsyncDisposable {
  readonly startedAt: Instant = Date.now();
  protected readonly child: ChildProcess;
  readonly #directory = mkdtempDisposableSync(join(tmpdir(), 'dwd-bench-'));

  /** `start` is given the file of the kubeconfig, and a directory that goes with the process. */
  constructor(kubeconfig: string, start: (file: string, directory: string) => ChildProcess) {
    const file = join(this.#directory.path, 'kubeconfig');
    writeFileSync(file, kubeconfig);
    this.child = start(file, this.#directory.path);
  }

  protected get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** When the process is gone. */
  async ended(): Promise<void> {
    if (!this.hasEnded) await once(this.child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.ended();
    clearTimeout(late);
    this.#directory.remove();
  }
}
