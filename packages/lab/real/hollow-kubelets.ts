import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RealApiServer } from './api-server.ts';
import { isRemovedAfterUs } from './clearing-up.ts';
import type { Kubelets } from './played-kubelets.ts';
import { end, start } from './processes.ts';

/** What the kubelet's lease controller says when a renewal failed. */
const renewalFailed = /"Failed to (?:update|ensure) lease/;

/** Real kubelets without machines (`hack/tools/hollow`): a process of some 80 MB for each node. */
export class HollowKubelets implements Kubelets {
  readonly failures: Readonly<{ at: number; error: unknown }>[] = [];
  readonly #running = new Map<string, ChildProcess>();
  readonly #program: string;
  readonly #way: RealApiServer;
  readonly #logs: Readonly<{ directory: string; prefix: string }>;
  /** Short, since a socket's path may have a hundred characters. */
  readonly #home: string;

  /** `way`: the API server as the kubelets reach it. Their logs bear the prefix. */
  constructor(program: string, way: RealApiServer, logs: Readonly<{ directory: string; prefix: string }>) {
    this.#program = program;
    this.#way = way;
    this.#logs = logs;
    this.#home = mkdtempSync(join(tmpdir(), 'dwd-hollow-'));
    isRemovedAfterUs(this.#home);
    writeFileSync(this.#kubeconfig, way.kubeconfig('admin'));
  }

  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  async start(name: string): Promise<void> {
    const directory = join(this.#home, name);
    mkdirSync(directory);
    const child = start(this.#logs.directory, `${this.#logs.prefix}.${name}`, this.#program, [
      `--name=${name}`,
      `--provider-id=cloud:///${name}`,
      `--kubeconfig=${this.#kubeconfig}`,
      `--directory=${directory}`,
    ]);
    this.#running.set(name, child);
    child.once('exit', () => {
      if (this.#running.get(name) === child) this.failures.push({ at: Date.now(), error: `${name} ended by itself` });
    });
    if (child.stderr === null) throw new Error(`the hollow kubelet ${name} has no output`);
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (renewalFailed.test(line)) this.failures.push({ at: Date.now(), error: line });
    });
  }

  async end(name: string): Promise<void> {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child !== undefined) await end(child);
  }

  cutOff(names: readonly string[] = this.names): void {
    for (const name of names) this.#running.get(name)?.kill('SIGSTOP');
  }

  heal(names: readonly string[] = this.names): void {
    for (const name of names) this.#running.get(name)?.kill('SIGCONT');
  }

  async haveRenewed(): Promise<boolean> {
    const { items } = await this.#way.operator.coordination.listNamespacedLease({ namespace: 'kube-node-lease' });
    const leases = new Set(items.map(({ metadata }) => metadata?.name));
    return this.names.every((name) => leases.has(name));
  }

  async stop(): Promise<void> {
    await Promise.all(this.names.map((name) => this.end(name)));
  }

  get #kubeconfig(): string {
    return join(this.#home, 'kubeconfig');
  }
}
