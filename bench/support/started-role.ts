import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Instant } from '../../src/domain/time.ts';
import type { RoleName } from '../../src/commands/role/role.ts';
import { numberAt } from '../../src/domain/value-at.ts';

export const main: string = join(import.meta.dirname, '../../src/main.ts');

/** What V8 takes by itself within the 512 MiB that Gardener grants; on this machine it would let the garbage lie. */
export const heap: readonly string[] = ['--max-old-space-size=256', '--max-semi-space-size=4'];

export type LogLine = Readonly<Record<string, unknown>>;

/** A role of the program as an operator runs it, in a process of its own, which ends when it is disposed of. */
export class StartedRole implements AsyncDisposable {
  readonly startedAt: Instant = Date.now();
  readonly #dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
  readonly #child: ChildProcess;
  readonly #lines: LogLine[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #role: RoleName;

  constructor(
    role: RoleName,
    options: Readonly<{
      kubeconfig: string;
      configFile: string;
      flags?: readonly string[];
      /** What Node is told to start, with its own flags before it; without it, the sources. */
      start?: readonly string[];
    }>,
  ) {
    this.#role = role;
    const kubeconfig = join(this.#dir, 'kubeconfig');
    writeFileSync(kubeconfig, options.kubeconfig);
    const own = ['metrics', 'health'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
    const seed = [`--config-file=${options.configFile}`, `--kubeconfig=${kubeconfig}`];
    // `PROFILE=DIR` keeps a CPU profile of the program.
    const profile = process.env['PROFILE'];
    const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const more = ['--inspector-bind-addr=0', ...(options.flags ?? [])];
    const start = options.start ?? [...heap, main];
    const args = [...node, ...start, role, ...seed, ...own, ...more];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error('the program has no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#lines.push(JSON.parse(line) as LogLine);
      for (const wake of this.#waiting) wake();
    });
    this.#child.once('exit', () => {
      for (const wake of this.#waiting) wake();
    });
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** The first line that is so, and when it came. */
  async line(isIt: (line: LogLine) => boolean): Promise<Readonly<{ line: LogLine; at: Instant }>> {
    for (;;) {
      const line = this.#lines.find(isIt);
      if (line !== undefined) return { line, at: Date.now() };
      if (this.#child.exitCode !== null) throw new Error(`the ${this.#role} has ended`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Every series by its name with its labels. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const { line } = await this.line(({ msg }) => msg === `the ${this.#role} starts`);
    if (this.#child.exitCode !== null)
      throw new Error(
        `the ${this.#role} has ended:\n${this.#lines
          .slice(-5)
          .map((one) => JSON.stringify(one))
          .join('\n')}`,
      );
    const answer = await fetch(`http://127.0.0.1:${numberAt(line, 'ports', 'metrics')}/metrics`);
    const text = await answer.text();
    return new Map(
      [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
    );
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** When the process is gone. */
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
