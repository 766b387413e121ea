import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RealApiServer, type User } from './api-server.ts';
import { mergePatch, tolerating } from './operator-client.ts';
import { dataOf, startEtcdAt, urlAt } from './etcd.ts';
import { end, freePort } from './processes.ts';

/** A real API server on an etcd of its own that is backed up and restored as an operator does it: as a whole, with the API server started afresh. */
export class RestorableSeed {
  readonly api: RealApiServer;
  readonly #bin: string;
  readonly #directory: string;
  readonly #port: number;
  #etcd: ChildProcess;

  private constructor(
    api: RealApiServer,
    place: Readonly<{ bin: string; directory: string; port: number }>,
    etcd: ChildProcess,
  ) {
    this.api = api;
    this.#bin = place.bin;
    this.#directory = place.directory;
    this.#port = place.port;
    this.#etcd = etcd;
  }

  static async start(bin: string, directory: string, users: readonly User[]): Promise<RestorableSeed> {
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    const etcd = await startEtcdAt(bin, directory, port);
    const api = await RealApiServer.start(bin, directory, 'restorable', urlAt(port), users);
    return new RestorableSeed(api, { bin, directory, port }, etcd);
  }

  /** Copies all that etcd holds. etcd is stopped for it, so that the copy is consistent. */
  async backUp(): Promise<void> {
    await end(this.#etcd);
    cpSync(dataOf(this.#directory), this.#backup, { recursive: true });
    this.#etcd = await startEtcdAt(this.#bin, this.#directory, this.#port);
    await this.api.ready();
  }

  async restore(): Promise<void> {
    await this.api.die();
    await end(this.#etcd);
    rmSync(dataOf(this.#directory), { recursive: true });
    cpSync(this.#backup, dataOf(this.#directory), { recursive: true });
    this.#etcd = await startEtcdAt(this.#bin, this.#directory, this.#port);
    await this.api.rise();
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
    await this.api.close();
    await this.api.die();
    await end(this.#etcd);
  }

  get #backup(): string {
    return join(this.#directory, 'backup');
  }
}
