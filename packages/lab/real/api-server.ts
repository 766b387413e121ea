import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { issueCertificates, kubeconfigText } from '@dwd/simulator/api/certificates.ts';
import { auditPolicy } from './audit-policy.ts';
import type { Ground } from './ground.ts';
import { operatorOf, type OperatorClient } from './operator-client.ts';
import { hasEnded, onFreePort, saidLast, start } from './processes.ts';

/** A user of a real API server: a line of its static token file. */
export type User = Readonly<{ name: string; token: string; groups: readonly string[] }>;

export type Answer = Readonly<{ status: number; body: Record<string, unknown> }>;

/** What another process needs to talk to a real API server. */
export type Reach = Readonly<{
  url: string;
  /** PEM. */
  ca: string;
  /** `admin`, of `system:masters`, and those that it was started with. */
  users: readonly User[];
}>;

export type Extras = Readonly<{
  /** Besides the administrator. */
  users?: readonly User[];
  /** A file for an audit log: a line for each request, with verb, resource, user and code. */
  auditLog?: string;
  /** With what was sent and answered, where Deployments, leases or Clusters are written. */
  auditBodies?: boolean;
  /** More flags, which win over ours. */
  flags?: readonly string[];
  /** Where others than this machine's own processes reach it: those in network namespaces of their own. */
  address?: string | undefined;
  within?: Within;
}>;

/** Namespaces of their own that a server runs in, instead of being one of this machine's own processes. */
type Within = Readonly<{
  start: (name: string, command: string, args: readonly string[]) => ChildProcess;
  /** At which it listens there. */
  port: number;
  /** Of its certificate. */
  addresses: readonly string[];
  /** What leads there from this machine. */
  urlHere: string;
}>;

function tokenLine({ name, token, groups }: User, index: number): string {
  const member = groups.length === 0 ? '' : `,"${groups.join(',')}"`;
  return `${token},${name},${index}${member}`;
}

/** A real kube-apiserver with RBAC on, and a client that is its administrator. */
export class RealApiServer {
  readonly url: string;
  readonly #ca: string;
  readonly #dispatcher: Agent;
  readonly #users: ReadonlyMap<string, User>;
  #operator: OperatorClient | undefined;
  #urlForOthers: string | undefined;
  /** Undefined if the server ran already. */
  #launch: (() => ChildProcess) | undefined;
  #child: ChildProcess | undefined;

  /** For a server that runs already. `patience`: how long a request may take, in ms; connections are kept for longer than a kubelet rests then. */
  constructor({ url, ca, users }: Reach, patience?: number) {
    this.url = url;
    this.#ca = ca;
    const limits =
      patience === undefined
        ? {}
        : { headersTimeout: patience, bodyTimeout: patience, connectTimeout: patience, keepAliveTimeout: 60_000 };
    this.#dispatcher = new Agent({ connect: { ca }, allowH2: false, ...limits });
    this.#users = new Map(users.map((user) => [user.name, user]));
  }

  /** The directory of its files, and its prefix in etcd, bear the name. */
  static async start(
    { bin, directory, etcd }: Ground,
    name: string,
    { users: others = [], auditLog, auditBodies = false, flags = [], address, within }: Extras = {},
  ): Promise<RealApiServer> {
    const place = join(directory, name);
    mkdirSync(place, { recursive: true });
    const { ca, certificate, key } = await issueCertificates(
      name,
      within?.addresses ?? (address === undefined ? [] : [address]),
    );
    const signing = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const users = [{ name: 'admin', token: `admin-of-${name}`, groups: ['system:masters'] }, ...others];
    const files = { 'tls.crt': certificate, 'tls.key': key, 'sa.key': signing.privateKey, 'sa.pub': signing.publicKey };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    writeFileSync(join(place, 'tokens.csv'), users.map(tokenLine).join('\n'));
    const audited =
      auditLog === undefined
        ? []
        : [`--audit-log-path=${auditLog}`, `--audit-policy-file=${join(place, 'audit.json')}`];
    writeFileSync(join(place, 'audit.json'), auditPolicy(auditBodies));
    const flagsOn = (port: number) => [
      `--etcd-servers=${etcd}`,
      `--etcd-prefix=/${name}`,
      `--secure-port=${port}`,
      `--bind-address=${address === undefined ? '127.0.0.1' : '0.0.0.0'}`,
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
      ...audited,
      ...flags,
    ];
    const begin = within?.start ?? ((...words) => start(directory, ...words));
    const attempt = async (port: number) => {
      const launch = () => begin(name, join(bin, 'kube-apiserver'), flagsOn(port));
      const server = new RealApiServer({ url: within?.urlHere ?? `https://127.0.0.1:${port}`, ca, users });
      server.#urlForOthers = address === undefined ? undefined : `https://${address}:${port}`;
      const child = launch();
      server.#launch = launch;
      server.#child = child;
      try {
        await server.ready(() => hasEnded(child));
      } catch (error) {
        const said = saidLast(directory, name);
        throw new Error(`the API server ${name} did not get ready; it said last:\n${said}`, { cause: error });
      }
      return server;
    };
    return within === undefined ? await onFreePort(attempt) : await attempt(within.port);
  }

  get reach(): Reach {
    return { url: this.url, ca: this.#ca, users: [...this.#users.values()] };
  }

  /** The same server by another address, with requests that may take so long, in ms. */
  by(url: string, patience: number): RealApiServer {
    return new RealApiServer({ ...this.reach, url }, patience);
  }

  token(user: string): string {
    const token = this.#users.get(user)?.token;
    if (token === undefined) throw new Error(`no user ${user}`);
    return token;
  }

  /** For who has a network of its own, where the server was started for such. */
  get urlForOthers(): string {
    return this.#urlForOthers ?? this.url;
  }

  kubeconfig(user: string, server = this.url): string {
    return kubeconfigText({ name: user, server, ca: this.#ca, token: this.token(user) });
  }

  /** The administrator's clients. */
  get operator(): OperatorClient {
    return (this.#operator ??= operatorOf(this.kubeconfig('admin')));
  }

  /** Sends a request as the administrator. Throws if the answer is not 2xx, unless its code is tolerated. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    tolerated: readonly number[] = [],
  ): Promise<Answer> {
    const answer = await request(`${this.url}${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        authorization: `Bearer ${this.token('admin')}`,
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
  async watch(
    path: string,
    onEvent: (event: { type: string; object: Record<string, unknown> }) => void,
  ): Promise<void> {
    const answer = await request(`${this.url}${path}`, {
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer ${this.token('admin')}` },
      bodyTimeout: 0,
    });
    let rest = '';
    for await (const chunk of answer.body) {
      rest += String(chunk);
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line !== '') onEvent(JSON.parse(line) as { type: string; object: Record<string, unknown> });
    }
  }

  /** Kills the server, and with it what it had cached. */
  async die(): Promise<void> {
    if (this.#child === undefined || hasEnded(this.#child)) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** Starts it again after it died, at the same address. */
  async rise(): Promise<void> {
    this.#child = this.#launch?.();
    await this.ready();
  }

  /** Cuts all connections of this client, including watches. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async ready(hasEnded: () => boolean = () => false): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const ok = await this.call('GET', '/readyz', undefined, [500, 403]).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (ok) return;
      if (hasEnded()) throw new Error('it ended');
      await pause(100);
    }
    throw new Error(`${this.url} did not get ready within 30 s`);
  }
}
