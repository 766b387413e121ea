import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { program, Program, seriesOf, type LogLine, type ProgramOptions, type Series } from '@dwd/testing/program.ts';
import { endsWithUs } from './clearing-up.ts';
import { freePort } from './processes.ts';

export const election = '--enable-leader-election=true';

/** As Gardener's Deployments start them, but for the election. It sets no rate for the weeder. */
export const gardenersFlags: Readonly<Record<RoleName, readonly string[]>> = {
  prober: ['--kube-api-qps=20.0', '--kube-api-burst=100', '--zap-log-level=INFO'],
  weeder: ['--zap-log-level=INFO'],
};

export type RoleStart = Pick<ProgramOptions, 'start' | 'env' | 'stdout' | 'stderr'> &
  Readonly<{
    /** The text. */
    kubeconfig: string;
    configFile: string;
    /** For its log and its kubeconfig, or, for the log alone, `logDirectory`; without it, one that goes with it, and nothing is logged. */
    directory?: string;
    logDirectory?: string | undefined;
    /** Of its files; the role's own unless given. */
    name?: string;
    /** Gardener's, and the election unless it is false, unless given. */
    elected?: boolean;
    flags?: readonly string[];
    /** Beside those. */
    more?: readonly string[];
    /** Any free one unless given. */
    metricsPort?: number | undefined;
    /** A shell's words for another watchdog: what it says and counts is not used. */
    command?: string;
    /** A file that the process imports before the program; `told` asks it. */
    preload?: string;
  }>;

/** A role of the program as Gardener starts it, or of another watchdog, in a process of its own, which ends when it is disposed of. */
export class StartedRole extends Program implements AsyncDisposable {
  /** A file; '' where it has none. */
  readonly log: string;
  readonly metricsPort: number;
  /** Not another watchdog. */
  readonly isOurs: boolean;
  readonly #directory: string | undefined;
  readonly #output: string | undefined;

  private constructor(role: RoleName, ports: Readonly<{ metrics: number; health: number }>, how: RoleStart) {
    const { name = role, elected = true, command, configFile, preload, start, more = [] } = how;
    const flags = how.flags ?? [...gardenersFlags[role], ...(elected ? [election] : [])];
    const own = how.directory === undefined ? mkdtempSync(join(tmpdir(), 'dwd-role-')) : undefined;
    const directory = how.directory ?? own ?? '';
    const kubeconfig = join(directory, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, how.kubeconfig);
    const log = own === undefined ? join(how.logDirectory ?? directory, `${name}.log`) : undefined;
    const addresses = Object.entries(ports).map(([what, port]) => `--${what}-bind-addr=127.0.0.1:${port}`);
    // The Go watchdog knows no inspector, and would open the same port for its profile in each replica.
    const others = command === undefined ? ['--inspector-bind-addr=0'] : ['--pprof-bind-addr=0'];
    const files = [`--config-file=${configFile}`, `--kubeconfig=${kubeconfig}`];
    // What another one says would only cost us time.
    const output = command === undefined ? undefined : join(directory, 'output');
    const file = output === undefined ? undefined : openSync(output, 'w');
    const { env = {}, stdout = file, stderr = file } = how;
    super({ onTestFinished: () => undefined }, [role, ...files, ...addresses, ...others, ...flags, ...more], {
      env,
      start: [...nodeFlags(preload), ...(start ?? [program])],
      ...(command !== undefined && { command }),
      ...(log !== undefined && { log }),
      ...(stdout !== undefined && { stdout }),
      ...(stderr !== undefined && { stderr }),
      inherits: true,
      talks: preload !== undefined,
      patience: 3_600_000,
    });
    if (file !== undefined) closeSync(file);
    this.isOurs = command === undefined;
    this.#output = output;
    this.log = log ?? '';
    this.metricsPort = ports.metrics;
    this.#directory = own;
    endsWithUs(this.child);
  }

  static async start(role: RoleName, how: RoleStart): Promise<StartedRole> {
    return new StartedRole(role, { metrics: how.metricsPort ?? (await freePort()), health: await freePort() }, how);
  }

  /** Its series. */
  async metrics(): Promise<Series> {
    this.refuseEnd();
    return await seriesAt(this.metricsPort);
  }

  /** The same; none as long as it does not answer. */
  async series(): Promise<Series> {
    return await this.metrics().catch(() => ({}));
  }

  async leads(): Promise<boolean> {
    this.refuseEnd();
    return (await this.series())['dwd_leader'] === 1;
  }

  /** When the first lists of the seed are in. */
  async isReady(): Promise<void> {
    await this.line('the first lists of the seed are in');
  }

  override refuseEnd(): void {
    if (this.#output === undefined || this.isRunning) return super.refuseEnd();
    const lines = readFileSync(this.#output, 'utf8').trim().split('\n');
    // A panic of Go's is followed by the stacks of all that ran.
    const told = lines.find((line) => line.startsWith('panic: ')) ?? lines.slice(-2).join(' / ');
    throw new Error(`it has ended: ${told.slice(0, 200)}`);
  }

  /** What the preload has seen so far. */
  async told<Answer>(): Promise<Answer> {
    this.child.send('tell');
    const [answer] = (await once(this.child, 'message')) as [Answer];
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGTERM');
    const late = setTimeout(() => this.kill('SIGKILL'), 10_000);
    await this.ended;
    clearTimeout(late);
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** `PROFILE=DIR` keeps a CPU profile of the program. */
function nodeFlags(preload: string | undefined): readonly string[] {
  const profile = process.env['PROFILE'];
  return [
    ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ...(preload === undefined ? [] : ['--import', preload]),
  ];
}

/** The lines of a log file so far; a last one that is not complete yet is left out. */
export function readLog(file: string): readonly LogLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

export async function seriesAt(port: number): Promise<Series> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  return seriesOf(await answer.text());
}
