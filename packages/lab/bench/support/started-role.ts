import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { RoleName } from 'dependency-watchdog/commands/role/role.ts';
import { numberAt } from 'dependency-watchdog/domain/value-at.ts';
import { seriesAt } from '../../real/started-role.ts';
import { gardenersFlags, StartedProcess } from './started-process.ts';

export const main: string = join(import.meta.dirname, '../../../../src/main.ts');

/** What V8 takes by itself within 512 MiB, Gardener's limit until March 2026; on this machine it would let the garbage lie. */
export const heap: readonly string[] = ['--max-old-space-size=256', '--max-semi-space-size=4'];

export type LogLine = Readonly<Record<string, unknown>>;

/** A role of the program as an operator runs it, in a process of its own. */
export class StartedRole extends StartedProcess {
  readonly #lines: LogLine[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #role: RoleName;

  constructor(
    role: RoleName,
    options: Readonly<{
      kubeconfig: string;
      configFile: string;
      /** Gardener's unless given. */
      flags?: readonly string[];
      /** What Node is told to start, with its own flags before it; without it, the sources. */
      start?: readonly string[];
      /** Beside ours. */
      environment?: Readonly<Record<string, string>>;
      /** A file beside this one that the process imports before the program; `told` asks it. */
      preload?: string;
    }>,
  ) {
    super(options.kubeconfig, (kubeconfig) => {
      const own = ['metrics', 'health'].map((what) => `--${what}-bind-addr=127.0.0.1:0`);
      const seed = [`--config-file=${options.configFile}`, `--kubeconfig=${kubeconfig}`];
      // `PROFILE=DIR` keeps a CPU profile of the program.
      const profile = process.env['PROFILE'];
      const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
      const { start = [...heap, main], flags = gardenersFlags, environment, preload } = options;
      if (preload !== undefined) node.push('--import', join(import.meta.dirname, preload));
      const args = [...node, ...start, role, ...seed, ...own, '--inspector-bind-addr=0', ...flags];
      const env = { ...process.env, ...environment };
      return spawn(process.execPath, args, {
        env,
        stdio: ['ignore', 'pipe', 'inherit', ...(preload === undefined ? [] : ['ipc' as const])],
      });
    });
    this.#role = role;
    if (this.child.stdout === null) throw new Error('the program has no output');
    const wakeAll = (): void => {
      for (const wake of this.#waiting) wake();
    };
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.#lines.push(JSON.parse(line) as LogLine);
      wakeAll();
    });
    this.child.once('exit', wakeAll);
  }

  /** The first line that is so, and when it came. */
  async line(isIt: (line: LogLine) => boolean): Promise<Readonly<{ line: LogLine; at: Instant }>> {
    for (;;) {
      const line = this.#lines.find(isIt);
      if (line !== undefined) return { line, at: Date.now() };
      if (this.child.exitCode !== null) throw new Error(`the ${this.#role} has ended`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Every series by its name with its labels. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const { line } = await this.line(({ msg }) => msg === `the ${this.#role} starts`);
    const last = this.#lines.slice(-5).map((one) => JSON.stringify(one));
    if (this.hasEnded) throw new Error(`the ${this.#role} has ended:\n${last.join('\n')}`);
    return new Map(Object.entries(await seriesAt(numberAt(line, 'ports', 'metrics') ?? 0)));
  }

  /** What the preload has seen so far. */
  async told<Answer>(): Promise<Answer> {
    this.child.send('tell');
    const [answer] = (await once(this.child, 'message')) as [Answer];
    return answer;
  }

  /** The process, for what the kernel knows of it. */
  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`the ${this.#role} could not be started`);
    return this.child.pid;
  }

  /** When the first lists of the seed are in. */
  async isReady(): Promise<void> {
    await this.line(({ msg }) => msg === 'the first lists of the seed are in');
  }
}

/** A role's memory, from its metrics. */
/** By how many seconds the event loop was late, 99th percentile: its samples are 0.1 s apart, as of src/adapters/record/metrics/metrics.ts. */
export function lateSeconds(metrics: ReadonlyMap<string, number>): number {
  return Math.max(0, (metrics.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) - 0.1);
}

export function memoryWords(metrics: ReadonlyMap<string, number>): string {
  const [resident, heap] = ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'].map(
    (name) => `${((metrics.get(name) ?? NaN) / 1_048_576).toFixed(0)} MiB`,
  );
  return `${resident}, of it heap ${heap}`;
}
