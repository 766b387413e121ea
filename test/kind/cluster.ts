import { delimiter } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { kubeconfigCredentials } from '../../src/adapters/credentials/kubeconfig-credentials.ts';

export type KubeItem = Readonly<{
  metadata: Readonly<{
    name: string;
    namespace?: string;
    uid: string;
    generation?: number;
    deletionTimestamp?: string;
    labels?: Readonly<Record<string, string>>;
    annotations?: Readonly<Record<string, string>>;
  }>;
  spec?: Readonly<Record<string, unknown>>;
  status?: Readonly<Record<string, unknown>>;
}>;

export type Watched = Readonly<{
  /** Called whenever the watch is opened: everything that is there follows as ADDED. */
  opened?: () => void;
  told: (type: string, object: KubeItem) => void;
}>;

/** An API server, seen as the user of a kubeconfig: for the test an administrator, who comes past proxy and program. */
export class Cluster {
  readonly credentials: Credentials;
  readonly #dispatcher: Agent;

  private constructor(credentials: Credentials) {
    this.credentials = credentials;
    this.#dispatcher = new Agent({ connect: { ...credentials.tls }, allowH2: false, bodyTimeout: 0 });
  }

  /** One file, or several as `$KUBECONFIG` lists them. */
  static async by(kubeconfig: string): Promise<Cluster> {
    return new Cluster(await kubeconfigCredentials(kubeconfig.split(delimiter)).read(true));
  }

  /** The body of the answer; throws for an answer that is no 2xx, unless it is tolerated, which gives undefined. */
  async call<Body = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    tolerated: readonly number[] = [],
  ): Promise<Body | undefined> {
    const { server, headers } = this.credentials;
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await request(`${server}${path}`, {
      method,
      dispatcher: this.#dispatcher,
      headers: { ...headers, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return JSON.parse(text) as Body;
    if (tolerated.includes(answer.statusCode)) return undefined;
    throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
  }

  async get<Body = KubeItem>(path: string): Promise<Body> {
    return (await this.call<Body>('GET', path))!;
  }

  async list(path: string): Promise<readonly KubeItem[]> {
    return (await this.get<{ items: readonly KubeItem[] }>(path)).items;
  }

  /** Undefined is what is not there. */
  async find(path: string): Promise<KubeItem | undefined> {
    return this.call<KubeItem>('GET', path, undefined, [404]);
  }

  /** Follows a collection until the signal comes; a watch that ends is opened again. Never rejects. */
  async watch(path: string, { opened, told }: Watched, signal: AbortSignal): Promise<void> {
    const { server, headers } = this.credentials;
    while (!signal.aborted) {
      try {
        const answer = await request(`${server}${path}${path.includes('?') ? '&' : '?'}watch=1`, {
          dispatcher: this.#dispatcher,
          headers,
          signal,
        });
        opened?.();
        let rest = '';
        for await (const chunk of answer.body.setEncoding('utf8')) {
          const lines = (rest + String(chunk)).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) tell(line, told);
        }
      } catch (error) {
        if (signal.aborted) return;
        process.stderr.write(`the test's watch on ${path} broke: ${String(error)}\n`);
      }
      await pause(500);
    }
  }

  /** A bearer token of a ServiceAccount for two hours, as the API server issues it. */
  async tokenOf(namespace: string, account: string): Promise<string> {
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7_200 } };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const issued = await this.call<{ status: { token: string } }>('POST', path, asked);
    return issued!.status.token;
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

function tell(line: string, told: Watched['told']): void {
  if (line === '') return;
  const { type, object } = JSON.parse(line) as { type: string; object: KubeItem };
  if (type !== 'BOOKMARK' && type !== 'ERROR') told(type, object);
}
