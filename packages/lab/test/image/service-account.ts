import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Agent, request } from 'undici';
import type { RealApiServer } from '../../real/api-server.ts';
import type { Mount } from './pod-spec.ts';

const namespace = 'garden';

/** 12 hours, as Gardener asks for it. */
const lifetime = 43_200;

/**
 * The token of a service account in the volume that a kubelet projects into a pod: `token`, `ca.crt` and `namespace` are links into
 * `..data`, and that is a link to the newest of the directories.
 */
export class ProjectedAccount {
  /** As it is mounted. */
  readonly mount: Mount;
  /** The token that lies there now. */
  token = '';
  readonly #seed: RealApiServer;
  readonly #account: string;
  readonly #place: string;
  #count = 0;

  private constructor(seed: RealApiServer, account: string, place: string) {
    this.#seed = seed;
    this.#account = account;
    this.#place = place;
    this.mount = { at: '/var/run/secrets/kubernetes.io/serviceaccount', from: place };
  }

  /** `account` is in the namespace `garden`. The name of the directory is the volume's, which no other one has. */
  static async project(seed: RealApiServer, account: string, place: string): Promise<ProjectedAccount> {
    mkdirSync(place, { recursive: true });
    const projected = new ProjectedAccount(seed, account, place);
    await projected.#write();
    for (const file of ['token', 'ca.crt', 'namespace']) symlinkSync(join('..data', file), join(place, file));
    return projected;
  }

  /**
   * A new token and new files, exchanged as a kubelet does it. Then the old token's object is deleted, and with it the token dies: after 10 s
   * at the latest, since the API server remembers for so long that it was good. Returns the old one.
   */
  async renew(): Promise<string> {
    const old = { token: this.token, object: this.#object };
    await this.#write();
    await this.#seed.operator.core.deleteNamespacedSecret({ namespace, name: old.object });
    return old.token;
  }

  /** The status of a request with this token. */
  async statusOf(token: string): Promise<number> {
    const { url, ca } = this.#seed.reach;
    // A connection of its own, and the one question that everybody with a good token may ask.
    const dispatcher = new Agent({ connect: { ca }, allowH2: false });
    const answer = await request(`${url}/version`, { dispatcher, headers: { authorization: `Bearer ${token}` } });
    await answer.body.dump();
    await dispatcher.close();
    return answer.statusCode;
  }

  get #object(): string {
    return `${basename(this.#place)}-${this.#count}`;
  }

  async #write(): Promise<void> {
    const { core } = this.#seed.operator;
    this.#count += 1;
    const { metadata } = await core.createNamespacedSecret({ namespace, body: { metadata: { name: this.#object } } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: this.#object, uid: `${metadata?.uid}` };
    const { status } = await core.createNamespacedServiceAccountToken({
      namespace,
      name: this.#account,
      body: { spec: { audiences: [], expirationSeconds: lifetime, boundObjectRef } },
    });
    this.token = `${status?.token}`;
    const name = `..${this.#count}`;
    mkdirSync(join(this.#place, name));
    const files = { token: this.token, 'ca.crt': this.#seed.reach.ca, namespace };
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(this.#place, name, file), text, { mode: 0o644 });
    const before = this.#count === 1 ? undefined : readlinkSync(join(this.#place, '..data'));
    symlinkSync(name, join(this.#place, '..data_tmp'));
    renameSync(join(this.#place, '..data_tmp'), join(this.#place, '..data'));
    if (before !== undefined) rmSync(join(this.#place, before), { recursive: true });
  }
}
