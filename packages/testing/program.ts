import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'vitest';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

/** The file of the sources, and what tests start: in CI what is built of them, which is what ships, and takes half the CPU to start. */
export const sources: string = join(import.meta.dirname, '../../src/main.ts');
export const program: string = process.env['DWD_PROGRAM'] ?? sources;

/** Where Node keeps what it has compiled, from one start to the next: one takes half as long with it. */
export const compiled = new URL('../../node_modules/.cache/program', import.meta.url).pathname;

/** How long a test waits for a line, or for the end, unless it says otherwise: two busy cores may take seconds to start a process. */
const usualPatience: Millis = 60_000;

/** The words that start a role, each of its addresses chosen by the system unless `flags` say otherwise. */
export function roleWords(
  role: RoleName,
  { configFile, kubeconfig }: Readonly<{ configFile: string; kubeconfig: string }>,
  flags: readonly string[],
): readonly string[] {
  const own = [`--config-file=${configFile}`, `--kubeconfig=${kubeconfig}`];
  const free = ['metrics', 'health', 'inspector']
    .map((what) => `--${what}-bind-addr=`)
    .filter((address) => !flags.some((flag) => flag.startsWith(address)))
    .map((address) => `${address}127.0.0.1:0`);
  return [role, ...own, ...free, ...flags];
}

export type LogLine = Readonly<Record<string, unknown>> & Readonly<{ level: string; ts: string; msg: string }>;

/** Whether a line is of this kind: by its field `line`, or by its message where that never varies. Or whether its message is so. */
export function isOfKind(line: LogLine, kind: string | RegExp): boolean {
  return typeof kind === 'string' ? (line['line'] ?? line.msg) === kind : kind.test(line.msg);
}

type Ending = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

export type ProgramOptions = Readonly<{
  /** Its environment has only these, PATH, and what makes it start faster. With `inherits` it has these beside our own, and nothing else. */
  env?: Readonly<Record<string, string>>;
  inherits?: boolean;
  /** The text for its standard input, which is then closed. */
  input?: string | Uint8Array;
  /** Descriptors that it gets in place of pipes to the test. Nothing of theirs is read here. */
  stdout?: number;
  stderr?: number;
  /** What Node is told to start, with its own flags before it; without it, the sources. */
  start?: readonly string[];
  /** A shell's words for another program in Node's place, which take what comes after `start`. */
  command?: string;
  /** A file that gets all that it writes, too. */
  log?: string;
  /** It may be sent messages, and send some. */
  talks?: boolean;
  /** How long a line, or the end, is waited for. */
  patience?: Millis;
}>;

const running = new Set<ChildProcess>();
// A test worker that is ended in the middle leaves no process behind either.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The program, or another one, as an operator runs it: a process of its own, which ends with the test at the latest. */
export class Program {
  readonly startedAt: Instant = Date.now();
  /** `prober`, as it was called. */
  readonly command: string;
  readonly pid: number;
  /** When the process is gone and everything that it wrote has been read. */
  readonly ended: Promise<Ending>;
  stdout = '';
  stderr = '';
  protected readonly child: ChildProcess;
  readonly #patience: Millis;
  readonly #lines: LogLine[] = [];
  readonly #strays: string[] = [];
  readonly #waiting = new Set<() => void>();
  #ending: Ending | undefined;

  constructor(
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    args: readonly string[],
    { env = {}, inherits, input, start = [program], command, log, talks, patience, ...outputs }: ProgramOptions = {},
  ) {
    const words = command === undefined ? [...start, ...args] : ['-c', `exec ${command} "$@"`, 'sh', ...args];
    const stdio: StdioOptions = ['pipe', outputs.stdout ?? 'pipe', outputs.stderr ?? 'pipe'];
    if (talks === true) stdio.push('ipc');
    const ours = inherits === true ? process.env : { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled };
    const child = spawn(command === undefined ? process.execPath : 'sh', words, { env: { ...ours, ...env }, stdio });
    if (child.pid === undefined) throw new Error('no process could be started');
    this.command = args[0] ?? '';
    this.pid = child.pid;
    this.child = child;
    this.#patience = patience ?? usualPatience;
    running.add(child);
    if (log !== undefined) {
      // At once, so that all of it is there when the child has ended.
      const file = openSync(log, 'w');
      for (const output of [child.stdout, child.stderr]) output?.on('data', (piece: string) => writeSync(file, piece));
      child.once('close', () => closeSync(file));
    }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    // A program that ends without reading its input has a reason; its exit code shows it.
    child.stdin?.on('error', () => undefined).end(input);
    this.ended = once(child, 'close').then(([code, signal]: unknown[]) => {
      running.delete(child);
      this.#ending = { code: code as number | null, signal: signal as NodeJS.Signals | null };
      this.#wake();
      return this.#ending;
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await this.ended;
    });
  }

  /** The lines of the log so far. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** What was written to the standard output and is no line of the log. */
  get strays(): readonly string[] {
    return this.#strays;
  }

  get isRunning(): boolean {
    return this.#ending === undefined;
  }

  /** The first line of the log of this kind, or with this message, and with these fields, already written or still to come. */
  async line(kind: string | RegExp, fields: Readonly<Record<string, unknown>> = {}): Promise<LogLine> {
    const wanted = Object.entries(fields);
    const isIt = (line: LogLine) => isOfKind(line, kind) && wanted.every(([key, one]) => line[key] === one);
    return await this.lineThat(isIt, `"${String(kind)}" ${JSON.stringify(fields)}`);
  }

  /** The first line that is so. */
  async lineThat(isIt: (line: LogLine) => boolean, what = 'that is so'): Promise<LogLine> {
    let found: LogLine | undefined;
    await this.#until(() => (found = this.#lines.find(isIt)) !== undefined, `no line ${what}`);
    return found!;
  }

  /** When it has written this, on either output. */
  async says(pattern: RegExp): Promise<void> {
    await this.#until(() => pattern.test(this.stdout) || pattern.test(this.stderr), `it did not say ${pattern}`);
  }

  /** The end, with everything that was written until then. A program that does not end fails the test. */
  async end(): Promise<Ending & Readonly<{ stdout: string; stderr: string }>> {
    await this.#until(() => !this.isRunning, 'no end');
    return { ...(await this.ended), stdout: this.stdout, stderr: this.stderr };
  }

  /** Throws where it has ended, with what it said last. */
  refuseEnd(): void {
    if (!this.isRunning) throw new Error(`the ${this.command} has ended\n${this.#account()}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async #until(isSo: () => boolean, otherwise: string): Promise<void> {
    const limit = AbortSignal.timeout(this.#patience);
    while (!isSo()) {
      if (!this.isRunning) throw new Error(`${otherwise}: the program has ended\n${this.#account()}`);
      if (limit.aborted) throw new Error(`${otherwise} within ${this.#patience} ms\n${this.#account()}`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        limit.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #account(): string {
    const lines = this.stdout.trimEnd().split('\n').slice(-20);
    return [`${JSON.stringify(this.#ending ?? 'still running')}; it said last:`, ...lines, this.stderr].join('\n');
  }

  #take(line: string): void {
    const read = readLine(line);
    if (read === undefined) this.#strays.push(line);
    else this.#lines.push(read);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function readLine(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'msg' in value ? (value as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

/** Every series of a program by its name with its labels, as Prometheus writes it. */
export type Series = Readonly<Record<string, number>>;

export function seriesOf(text: string): Series {
  const series = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(series.map(([, name, value]) => [name, Number(value)]));
}
