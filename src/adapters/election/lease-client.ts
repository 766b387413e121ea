import type { V1Lease } from '@kubernetes/client-node';
import { valueAt } from '../../domain/value-at.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { sleepUntil } from '../clock/deadline.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { leasesPath } from '../kube/paths.ts';
import type { Raw } from '../kube/raw.ts';
import type { LeaseRecord } from './lease-record.ts';

/** One Lease in the seed, by the verbs that are granted on it: create, get, update, watch (SPEC 8). */
export class LeaseClient {
  readonly #client: KubeClient;
  readonly #collection: string;
  readonly #name: string;

  constructor(client: KubeClient, namespace: string, name: string) {
    this.#client = client;
    this.#collection = leasesPath(namespace);
    this.#name = name;
  }

  /** Undefined where there is none. Rejects with KubeError, as all methods do. */
  async get(signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#client.request({ method: 'GET', path: this.#path, signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return undefined;
      throw error;
    }
  }

  async create(spec: LeaseRecord, signal: AbortSignal): Promise<unknown> {
    const body = leaseOf({ name: this.#name }, spec);
    return this.#client.request({ method: 'POST', path: this.#collection, body, signal });
  }

  /** Everything but the spec stays as it was. The resourceVersion makes the server refuse the update where the Lease has changed since. */
  async update(lease: unknown, spec: LeaseRecord, signal: AbortSignal): Promise<unknown> {
    const body = leaseOf(valueAt(lease, 'metadata') as Lease['metadata'], spec);
    return this.#client.request({ method: 'PUT', path: this.#path, body, signal });
  }

  /** The Lease at each change, until the server ends the watch; undefined for a deleted one. */
  async *watch(signal: AbortSignal, inactivity: Millis): AsyncGenerator<unknown, void, undefined> {
    const query = { watch: 'true', fieldSelector: `metadata.name=${this.#name}` };
    for await (const event of this.#client.lines({
      method: 'GET',
      path: this.#collection,
      query,
      signal,
      inactivity,
    })) {
      const type = valueAt(event, 'type');
      if (type === 'ERROR') return;
      yield type === 'DELETED' ? undefined : valueAt(event, 'object');
    }
  }

  get #path(): string {
    return `${this.#collection}/${encodeURIComponent(this.#name)}`;
  }
}

type Lease = Raw<V1Lease>;

function leaseOf(metadata: Lease['metadata'], spec: LeaseRecord): Lease {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...(metadata && { metadata }), spec };
}

/** A Lease in use changes every few seconds, and one that is not in use is polled anyway. */
const longestSilence: Millis = 60_000;

/** Where the watch is refused now, it will be refused again. */
const againAfter: Millis = 10_000;

/**
 * Calls `see` with the Lease as it is and at each change, with undefined where it is gone, until the signal is aborted. It may miss
 * changes: the caller has to ask for the Lease as well, and learns from that what is wrong with the server. Only that the watch itself is
 * not granted it would not learn: `onRefused` is called then, each time.
 */
export async function followLease(
  leases: LeaseClient,
  clock: Clock,
  signal: AbortSignal,
  see: (lease: unknown) => void,
  onRefused: (failure: KubeError) => void = () => undefined,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const lease of leases.watch(signal, longestSilence)) {
        if (signal.aborted) return;
        see(lease);
      }
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.status === 403) onRefused(error);
    }
    if (!signal.aborted) await sleepUntil(clock, clock.now() + againAfter, signal);
  }
}
