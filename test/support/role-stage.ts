import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { Later } from '../../src/adapters/record/facts/turns.ts';
import { runProberRole } from '../../src/commands/role/prober-role.ts';
import { readRoleFlags } from '../../src/commands/role/role-flags.ts';
import { runWeederRole } from '../../src/commands/role/weeder-role.ts';
import type { RoleName } from '../../src/domain/names.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import { startEmbeddedSeed, type EmbeddedSeed, type EmbeddedSeedOptions } from '@dwd/simulator/embedded-seed.ts';
import { EmbeddedStage } from '@dwd/testing/embedded-stage.ts';
import { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { isOfKind, roleWords, seriesOf, type LogLine, type Series } from '@dwd/testing/program.ts';
import { configOf } from '@dwd/testing/prober-configs.ts';
import { heardDial, HeardOutput } from './heard-output.ts';
import { ShiftedClock } from './shifted-clock.ts';
import { noon } from './watched-role.ts';

/** Gardener's two most important dependants, on one level, so that both are due at once. */
const plainConfig = `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 30s
backoffJitterFactor: 0
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

/** Two services with the same dependants: all pods but the services' own. */
const twinWeederConfig = `
watchDuration: 5m
servicesAndDependantSelectors:
  etcd-main-client: {podSelectors: [{matchExpressions: [{key: role, operator: NotIn, values: [main]}]}]}
  kube-apiserver: {podSelectors: [{matchExpressions: [{key: role, operator: NotIn, values: [main, apiserver]}]}]}
`;

/** With the program's own defaults of 15, 10 and 2 s. */
export const electionFlag = '--enable-leader-election';

type RoleStageOptions = Partial<Omit<EmbeddedSeedOptions, 'clock' | 'chance' | 'config' | 'authorize'>> &
  Readonly<{
    configText?: string;
    /** Whether this request, which RBAC grants, is let through. */
    permits?: (asked: AccessAsked) => boolean;
    /** When turns are told; at once unless given. */
    later?: Later;
  }>;

/** An embedded stage on a clock that does not wait, and whole roles on it that are put together as `main.ts` does it, in this process. */
export class RoleStage extends EmbeddedStage {
  readonly clock: HastyClock;
  readonly #configFile: string;
  readonly #weederConfigFile: string;
  readonly #later: Later | undefined;
  readonly #runs: RoleRun[] = [];
  readonly #listeners = process.listeners('uncaughtException');

  constructor(seed: EmbeddedSeed, clock: HastyClock, { configText = plainConfig, permits, later }: RoleStageOptions) {
    const dir = mkdtempSync(join(tmpdir(), 'dwd-roles-'));
    super(seed, { config: configOf(configText), dir, ...(permits && { permits }) });
    this.clock = clock;
    this.#configFile = this.file('config.yaml', configText);
    this.#weederConfigFile = this.file('weeder.yaml', twinWeederConfig);
    this.#later = later;
  }

  /** Runs a role as its own user, until it knows the seed. */
  async start(user: string, flags: readonly string[] = [], role: RoleName = 'prober'): Promise<RoleRun> {
    const run = await this.begin(user, flags, role);
    await this.#without(() => run.find('the first lists of the seed are in') !== undefined, 'it knows the seed');
    return run;
  }

  /** Runs a role until it has sent a request to the seed, or has ended. */
  async begin(user: string, flags: readonly string[] = [], role: RoleName = 'prober'): Promise<RoleRun> {
    const run = this.#begin(user, flags, role);
    const hasAsked = () => this.seed.api.requests.all.some((seen) => seen.user === user);
    await this.#without(() => run.isOver || hasAsked(), 'it asks the seed');
    return run;
  }

  #begin(user: string, flags: readonly string[], role: RoleName): RoleRun {
    const configFile = role === 'prober' ? this.#configFile : this.#weederConfigFile;
    const [, ...args] = roleWords(role, { configFile, kubeconfig: this.kubeconfigOf(user, role) }, flags);
    const run = new RoleRun(role, args, this.clock, this.#runs.length + 1, this.#later);
    this.#runs.push(run);
    return run;
  }

  /** Lets time pass until it is so. Fails if it is not so within this much time of the seed, or if a role fails. */
  async until(isSo: () => boolean, within: Millis, what: string): Promise<void> {
    const failed = () => this.#runs.find((run) => run.failed !== undefined);
    const came = await this.clock.passUntil(() => isSo() || failed() !== undefined, this.clock.now() + within);
    if (failed() !== undefined) throw new Error('a role failed', { cause: failed()?.failed });
    if (!came) throw new Error(`after ${within} ms it is not so: ${what}\n${this.#account()}`);
  }

  /**
   * Waits without a leap. While a role starts, other threads read files for it, and the event loop does not see them. On a busy
   * machine they take so long that the first requests would time out.
   */
  async #without(isSo: () => boolean, what: string): Promise<void> {
    const limit = AbortSignal.timeout(30_000);
    while (!isSo()) {
      if (limit.aborted) throw new Error(`it is not so: ${what}\n${this.#account()}`);
      await turnOfTheLoop();
    }
  }

  async pass(length: Millis): Promise<void> {
    await this.clock.passUntil(() => false, this.clock.now() + length);
  }

  /** The role's answer to a GET of a path. */
  async fetch(
    run: RoleRun,
    what: 'metrics' | 'health' | 'inspector',
    path: string,
    headers: Record<string, string> = {},
  ) {
    const ports = run.lines.find(({ ports: at }) => at !== undefined)?.['ports'] as Readonly<Record<string, number>>;
    const { request } = await import('node:http');
    return await new Promise<Readonly<{ status: number; text: string }>>((resolve, reject) => {
      request({ host: '127.0.0.1', port: ports[what], path, headers, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end();
    });
  }

  /** Every series by its name with its labels, as Prometheus writes it. */
  async metrics(run: RoleRun): Promise<Series> {
    const { text } = await this.fetch(run, 'metrics', '/metrics');
    return seriesOf(text);
  }

  /** Ends it as Kubernetes does, and gives its exit code. */
  async end(run: RoleRun): Promise<number | undefined> {
    run.terminate();
    await this.until(() => run.isOver, 5_000, 'it has ended');
    return run.code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const run of this.#runs) run.terminate();
    await this.clock.passUntil(() => this.#runs.every((run) => run.isOver), this.clock.now() + 60_000);
    await this.seed.stop();
    this.clock.stop();
    for (const one of process.listeners('uncaughtException'))
      if (!this.#listeners.includes(one)) process.off('uncaughtException', one);
    rmSync(this.dir, { recursive: true, force: true });
  }

  #account(): string {
    return this.#runs
      .flatMap(({ lines, said }) => [...said, ...lines.slice(-15).map((line) => JSON.stringify(line))])
      .join('\n');
  }
}

/** A seed with one shoot of five nodes, unless the options say otherwise. */
export async function roleStage({ configText = plainConfig, permits, later, ...options }: RoleStageOptions = {}) {
  const clock = new HastyClock(noon);
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(5),
    config: configOf(configText),
    shoots: 1,
    nodes: 5,
    sharedCertificates: true,
    ...options,
  });
  return new RoleStage(seed, clock, { configText, ...(permits && { permits }), ...(later && { later }) });
}

/** What a role wrote, and how it ended. It runs within this process, and otherwise as `main.ts` runs it. */
export class RoleRun {
  readonly lines: LogLine[] = [];
  /** What it wrote for the operator's eyes. */
  readonly said: string[] = [];
  readonly output = new HeardOutput((line) => void this.lines.push(JSON.parse(line) as LogLine));
  readonly wall: ShiftedClock;
  readonly steady: ShiftedClock;
  /** Requests to the seed, in the order in which they were written to a connection, and how many lines the role had written before. */
  readonly sent: Readonly<{ method: string; linesBefore: number }>[] = [];
  /** What it told its heap. */
  readonly heapHeard: ('works' | 'standsBy')[] = [];
  code: number | undefined;
  failed: unknown;
  readonly #deaf: (() => void)[];

  constructor(role: RoleName, args: readonly string[], clock: HastyClock, seedNumber: number, later?: Later) {
    this.wall = new ShiftedClock(clock);
    this.steady = new ShiftedClock(clock);
    const before = process.listeners('SIGTERM');
    const io = { out: (line: string) => void this.said.push(line), err: (line: string) => void this.said.push(line) };
    const surroundings = {
      clock: this.wall,
      steady: this.steady,
      chance: seededChance(seedNumber),
      output: this.output,
      dial: heardDial(({ method }) => ({
        sent: () => void this.sent.push({ method, linesBefore: this.lines.length }),
      })),
      heap: {
        works: () => void this.heapHeard.push('works'),
        standsBy: () => void this.heapHeard.push('standsBy'),
      },
      ...(later && { later }),
    };
    const read = readRoleFlags(role, args);
    if (!read.ok) throw new Error(read.message);
    const run = role === 'prober' ? runProberRole : runWeederRole;
    run(read.flags, { ...io, env: {} }, surroundings).then(
      (code) => (this.code = code),
      (error: unknown) => (this.failed = error),
    );
    // Only its own listeners: the test runner may listen as well.
    this.#deaf = process.listeners('SIGTERM').filter((one) => !before.includes(one)) as (() => void)[];
  }

  get isOver(): boolean {
    return this.code !== undefined || this.failed !== undefined;
  }

  terminate(): void {
    for (const hear of this.#deaf) hear();
  }

  find(kind: string | RegExp, fields: Readonly<Record<string, unknown>> = {}): LogLine | undefined {
    const wanted = Object.entries(fields);
    return this.lines.find((line) => isOfKind(line, kind) && wanted.every(([key, one]) => line[key] === one));
  }
}
