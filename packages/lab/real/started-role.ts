import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { RoleName } from 'dependency-watchdog/domain/names.ts';
import { freePort } from './free-port.ts';
import { end, hasEnded, saidLast, start } from './processes.ts';
import { program } from '@dwd/testing/program-file.ts';

/** As Gardener's Deployments start them, but for the election. */
const gardenersFlags: Readonly<Record<RoleName, readonly string[]>> = {
  prober: ['--kube-api-qps=20.0', '--kube-api-burst=100', '--zap-log-level=INFO'],
  weeder: ['--zap-log-level=INFO'],
};

export type LogLine = Readonly<Record<string, unknown>> & Readonly<{ level: string; ts: string; msg: string }>;

type RoleStart = Readonly<{
  /** For its log and its kubeconfig; or, for the log alone, `logDirectory`. */
  directory: string;
  logDirectory?: string | undefined;
  /** Of its files; the role's own unless given. */
  name?: string;
  /** The text. */
  kubeconfig: string;
  configFile: string;
  /** It is unless this is false. */
  elected?: boolean;
  flags?: readonly string[];
  /** Any free one unless given. */
  metricsPort?: number | undefined;
}>;

/** A role of the program as Gardener starts it, in a process of its own. */
export class StartedRole implements AsyncDisposable {
  /** A file. */
  readonly log: string;
  readonly metricsPort: number;
  readonly child: ChildProcess;
  readonly #name: string;
  readonly #logDirectory: string;

  private constructor(role: RoleName, metricsPort: number, healthPort: number, how: RoleStart) {
    const { directory, logDirectory = directory, name = role, elected = true, flags = [] } = how;
    const kubeconfig = join(directory, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, how.kubeconfig);
    this.log = join(logDirectory, `${name}.log`);
    this.metricsPort = metricsPort;
    this.#name = name;
    this.#logDirectory = logDirectory;
    this.child = start(logDirectory, name, process.execPath, [
      program,
      role,
      `--config-file=${how.configFile}`,
      `--kubeconfig=${kubeconfig}`,
      ...gardenersFlags[role],
      ...(elected ? ['--enable-leader-election=true'] : []),
      `--metrics-bind-addr=127.0.0.1:${metricsPort}`,
      `--health-bind-addr=127.0.0.1:${healthPort}`,
      '--inspector-bind-addr=0',
      ...flags,
    ]);
  }

  static async start(role: RoleName, how: RoleStart): Promise<StartedRole> {
    return new StartedRole(role, how.metricsPort ?? (await freePort()), await freePort(), how);
  }

  /** The lines of its log so far. */
  get lines(): readonly LogLine[] {
    return readLog(this.log);
  }

  /** Its series; none as long as it does not answer. */
  async series(): Promise<Series> {
    return await seriesAt(this.metricsPort).catch(() => ({}));
  }

  async leads(): Promise<boolean> {
    this.refuseEnd();
    return (await this.series())['dwd_leader'] === 1;
  }

  /** Throws where it has ended, with what it said last. */
  refuseEnd(): void {
    if (!hasEnded(this.child)) return;
    const { exitCode, signalCode } = this.child;
    const said = saidLast(this.#logDirectory, this.#name);
    throw new Error(`the ${this.#name} has ended with ${exitCode ?? signalCode}; it said last:\n${said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.child);
  }
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

/** Every series of a program by its name with its labels, as Prometheus writes it. */
export type Series = Readonly<Record<string, number>>;

export async function seriesAt(port: number): Promise<Series> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  return seriesOf(await answer.text());
}

export function seriesOf(text: string): Series {
  const series = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  return Object.fromEntries(series.map(([, name, value]) => [name, Number(value)]));
}
