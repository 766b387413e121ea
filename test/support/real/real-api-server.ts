import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { issueCertificates } from '../../../src/simulator/certificates.ts';
import { kubeconfigText } from '../../../src/simulator/kubeconfig-text.ts';
import { freePort, start } from './processes.ts';

/** A user of a real API server: a line of its static token file. */
export type User = Readonly<{ name: string; token: string; groups: readonly string[] }>;

export type Answer = Readonly<{ status: number; body: Record<string, unknown> }>;

/** A real kube-apiserver with RBAC on, and a client that is its administrator. */
export class RealApiServer {
  readonly url: string;
  readonly #ca: string;
  readonly #dispatcher: Agent;
  readonly #users: ReadonlyMap<string, User>;

  private constructor(url: string, ca: string, users: readonly User[]) {
    this.url = url;
    this.#ca = ca;
    this.#dispatcher = new Agent({ connect: { ca }, allowH2: false });
    this.#users = new Map(users.map((user) => [user.name, user]));
  }

  static async start(
    bin: string,
    directory: string,
    name: string,
    etcd: string,
    others: readonly User[],
  ): Promise<RealApiServer> {
    const place = join(directory, name);
    mkdirSync(place, { recursive: true });
    const { ca, certificate, key } = await issueCertificates(name);
    const signing = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const users = [{ name: 'admin', token: `admin-of-${name}`, groups: ['system:masters'] }, ...others];
    const files = { 'tls.crt': certificate, 'tls.key': key, 'sa.key': signing.privateKey, 'sa.pub': signing.publicKey };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    writeFileSync(
      join(place, 'tokens.csv'),
      users.map((user, index) => `${user.token},${user.name},${index},"${user.groups.join(',')}"`).join('\n'),
    );
    const port = await freePort();
    start(directory, name, join(bin, 'kube-apiserver'), [
      `--etcd-servers=${etcd}`,
      `--etcd-prefix=/${name}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--tls-cert-file=${join(place, 'tls.crt')}`,
      `--tls-private-key-file=${join(place, 'tls.key')}`,
      '--service-account-issuer=https://local',
      `--service-account-key-file=${join(place, 'sa.pub')}`,
      `--service-account-signing-key-file=${join(place, 'sa.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      `--token-auth-file=${join(place, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--disable-admission-plugins=ServiceAccount',
      '--anonymous-auth=false',
    ]);
    const server = new RealApiServer(`https://127.0.0.1:${port}`, ca, users);
    await server.ready();
    return server;
  }

  kubeconfig(user: string): string {
    const token = this.#users.get(user)?.token;
    if (token === undefined) throw new Error(`no user ${user}`);
    return kubeconfigText({ name: user, server: this.url, ca: this.#ca, token });
  }

  /** As the administrator; throws for an answer that is no 2xx, unless it is tolerated. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    tolerated: readonly number[] = [],
  ): Promise<Answer> {
    const admin = this.#users.get('admin');
    const answer = await request(`${this.url}${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        authorization: `Bearer ${admin?.token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
    if (answer.statusCode >= 300 && !tolerated.includes(answer.statusCode))
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return { status: answer.statusCode, body: parsed };
  }

  /** Calls back for each event of a watch, until this process ends. */
  async watch(path: string, told: (event: { type: string; object: Record<string, unknown> }) => void): Promise<void> {
    const admin = this.#users.get('admin');
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer ${admin?.token}` },
      bodyTimeout: 0,
    });
    let rest = '';
    for await (const chunk of answer.body) {
      rest += String(chunk);
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line !== '') told(JSON.parse(line) as { type: string; object: Record<string, unknown> });
    }
  }

  async ready(): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const ok = await this.call('GET', '/readyz', undefined, [500, 403]).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (ok) return;
      await pause(100);
    }
    throw new Error(`${this.url} did not get ready within 30 s`);
  }
}
