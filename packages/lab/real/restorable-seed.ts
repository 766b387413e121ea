import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RealApiServer, type Extras } from './api-server.ts';
import { mergePatch, tolerating } from './operator-client.ts';
import { dataOf, startEtcdAt, urlAt } from './etcd.ts';
import { freePort, end } from './processes.ts';
import type { Ground } from './ground.ts';

const name = 'restorable';

/** A real API server on an etcd of its own that is backed up and restored as an operator does it: as a whole, with the API servers started afresh. */
export class RestorableSeed {
  readonly api: RealApiServer;
  readonly #servers: RealApiServer[];
  readonly #bin: string;
  readonly #directory: string;
  readonly #port: number;
  #etcd: ChildProcess;

  private constructor(
    api: RealApiServer,
    place: Pick<Ground, 'bin' | 'directory'> & Readonly<{ port: number }>,
    etcd: ChildProcess,
  ) {
    this.api = api;
    this.#servers = [api];
    this.#bin = place.bin;
    this.#directory = place.directory;
    this.#port = place.port;
    this.#etcd = etcd;
  }

  static async start(
    { bin, directory }: Pick<Ground, 'bin' | 'directory'>,
    extras: Extras = {},
  ): Promise<RestorableSeed> {
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    const etcd = await startEtcdAt(bin, directory, port);
    const api = await RealApiServer.start({ bin, directory, etcd: urlAt(port) }, name, extras);
    return new RestorableSeed(api, { bin, directory, port }, etcd);
  }

  /** Starts another API server over the same etcd. */
  async addTwin(): Promise<RealApiServer> {
    const flags = [`--etcd-prefix=/${name}`];
    const ground = { bin: this.#bin, directory: this.#directory, etcd: urlAt(this.#port) };
    const twin = await RealApiServer.start(ground, 'twin', { flags });
    this.#servers.push(twin);
    return twin;
  }

  /** Copies all that etcd holds. etcd is stopped for it, so that the copy is consistent. */
  async backUp(): Promise<void> {
    await end(this.#etcd);
    // Files of an earlier backup would be taken for parts of this one.
    rmSync(this.#backup, { recursive: true, force: true });
    cpSync(dataOf(this.#directory), this.#backup, { recursive: true });
    this.#etcd = await startEtcdAt(this.#bin, this.#directory, this.#port);
    for (const server of this.#servers) await server.ready();
  }

  /** etcd is killed, and starts again after so long, in ms. Resolves once all API servers are ready. */
  async etcdAway(length: number): Promise<void> {
    const gone = once(this.#etcd, 'exit');
    this.#etcd.kill('SIGKILL');
    await gone;
    await pause(length);
    this.#etcd = await startEtcdAt(this.#bin, this.#directory, this.#port);
    for (const server of this.#servers) await server.ready();
  }

  /** API servers that go on keep what they had cached. */
  async restore(servers: 'start afresh' | 'go on' = 'start afresh'): Promise<void> {
    if (servers === 'start afresh') for (const server of this.#servers) await server.die();
    await end(this.#etcd);
    rmSync(dataOf(this.#directory), { recursive: true });
    cpSync(this.#backup, dataOf(this.#directory), { recursive: true });
    this.#etcd = await startEtcdAt(this.#bin, this.#directory, this.#port);
    for (const server of this.#servers) await (servers === 'start afresh' ? server.rise() : server.ready());
  }

  /** etcd's counter, by which every object has its version. */
  async revision(): Promise<number> {
    const { metadata } = await this.api.operator.core.listNamespace({ limit: 1 });
    return Number(metadata?.resourceVersion);
  }

  /** Writes for as long as the counter has not overtaken this. */
  async overtake(revision: number): Promise<void> {
    const { core } = this.api.operator;
    const [namespace, name] = ['default', 'counted'];
    await tolerating([409], core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } }));
    for (let count = 0; (await this.revision()) <= revision; count++)
      await core.patchNamespacedConfigMap({ namespace, name, body: { data: { count: String(count) } } }, mergePatch);
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      await server.close();
      await server.die();
    }
    await end(this.#etcd);
  }

  get #backup(): string {
    return join(this.#directory, 'backup');
  }
}
