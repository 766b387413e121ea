import type { KubeClient } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { RateLimit } from 'dependency-watchdog/adapters/seed-client/rate-limit.ts';
import type { Dial } from 'dependency-watchdog/adapters/seed-client/undici-pool.ts';
import { SeedConnection } from 'dependency-watchdog/adapters/seed-client/seed-connection.ts';
import {
  UndiciKubeClient,
  type SeedClientOptions,
} from 'dependency-watchdog/adapters/seed-client/undici-kube-client.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { operatorOf, type OperatorClient } from '@dwd/lab/real/operator-client.ts';
import { kubeconfigText } from '../api/certificates.ts';

/**
 * `admin` may everything; `weak` may ask for the version and nothing else; `busy` may everything, and is the one who is
 * throttled; `older` may what an older Gardener grants the weeder (7.6); `nobody` is unknown.
 */
export type ContractUser = 'admin' | 'weak' | 'busy' | 'older' | 'nobody';

/** What `older` may, in all namespaces: Endpoints in place of EndpointSlices. */
export const olderGrants: Readonly<Record<'pods' | 'endpoints', readonly string[]>> = {
  pods: ['get', 'list', 'watch', 'delete'],
  endpoints: ['get', 'list', 'watch'],
};

/**
 * An API server, embedded or real, on which the contracts are run; and what cannot be asked of it over the wire. It serves
 * Gardener's kinds and gadgets; on none of them does anybody act by himself.
 */
export type ContractSeed = Readonly<{
  url: string;
  /** PEM. */
  ca: string;
  /** By which it knows who asks. */
  headers: Readonly<Record<ContractUser, Readonly<Record<string, string>>>>;
  /** The way in which our clients reach it, where that is no wire. */
  dial?: Dial;
  /** Forgets all history up to now, as etcd is made to every five minutes. */
  compact(): Promise<void>;
  /** Answers `busy` with 429 and Retry-After, until what it resolves to is called and has resolved. */
  throttle(): Promise<() => Promise<void>>;
}>;

/** Gives clients of one API server, and namespaces that nobody else uses. */
export class ContractStage {
  readonly seed: ContractSeed;
  readonly admin: KubeClient;
  /** Sets the scene, by a client that is not ours. */
  readonly operator: OperatorClient;
  readonly #connections: SeedConnection[] = [];
  /** A real server keeps its namespaces from file to file. */
  readonly #run: string = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  #made = 0;

  constructor(seed: ContractSeed) {
    this.seed = seed;
    this.admin = this.client('admin');
    this.operator = this.operatorAs('admin');
  }

  /** The program's own client of a seed, without a limit of rate. */
  client(user: ContractUser, told: Pick<SeedClientOptions, 'onRequest' | 'onRequestThrottled'> = {}): KubeClient {
    const { url: server, ca, headers, dial } = this.seed;
    const read = () => Promise.resolve({ server, headers: headers[user], tls: { ca } });
    const connection = new SeedConnection({ origin: 'contract', read }, systemClock, undefined, dial);
    this.#connections.push(connection);
    const limit = new RateLimit(systemClock, 'unlimited');
    return new UndiciKubeClient({ ...told, connection, clock: systemClock, limit, userAgent: 'contract' });
  }

  /** YAML by which anybody comes in as this user. */
  kubeconfig(user: ContractUser): string {
    const { url: server, ca, headers } = this.seed;
    const token = (headers[user]['authorization'] ?? '').replace(/^Bearer /, '');
    return kubeconfigText({ name: 'seed', server, ca, token });
  }

  operatorAs(user: ContractUser): OperatorClient {
    return operatorOf(this.kubeconfig(user));
  }

  /** An empty one. */
  async namespace(): Promise<string> {
    const name = `shoot--contract--${this.#run}-${(this.#made += 1)}`;
    await this.operator.core.createNamespace({ body: { metadata: { name } } });
    return name;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) await connection.close();
  }
}
