import type { Instant, Millis } from '../../domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import type { ApiServer } from '../api/api-server.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { asObject, type JsonObject, microTime } from '../store/kube-object.ts';
import { markReady, leaseObject } from './shoot-objects.ts';
import { createObject } from '../store/object-writes.ts';

/** Kubernetes' renewInterval: a quarter of the 40 s for which a lease is held. */
export const renewEvery: Millis = 10_000;

/** Each renewal comes up to this fraction later, as in the real kubelet. */
const jitterFraction = 0.04;

/** The kubelets of one shoot: each renews its node's lease every 10 s, at a phase of its own, while it can reach the API server. */
export class Kubelets {
  readonly #server: ApiServer;
  readonly #agenda: Agenda;
  readonly #running = new Map<string, () => void>();
  readonly #cutOff = new Set<string>();
  /** Nobody reaches an API server that is down. */
  reachable = true;
  /** By how much their clocks are ahead of the world's, in ms: they write the time of a renewal. */
  ahead: Millis = 0;
  readonly #path: Readonly<{ carriesRenewals: boolean }>;

  /** `path`: the way to the API server, where it may fail by itself. */
  constructor(server: ApiServer, path: Readonly<{ carriesRenewals: boolean }> = { carriesRenewals: true }) {
    this.#path = path;
    this.#server = server;
    this.#agenda = server.agenda;
  }

  get nodes(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Whether any of them cannot renew. */
  get isImpaired(): boolean {
    return !this.reachable || this.areCutOff;
  }

  /** Whether any of them cannot reach an API server that is there. */
  get areCutOff(): boolean {
    return !this.#path.carriesRenewals || this.#cutOff.size > 0;
  }

  /** Starts a kubelet whose last renewal was at a random moment of the last 10 s. */
  start(node: string): void {
    const phase = this.#server.storage.chance() * renewEvery;
    const now = this.#agenda.clock.now();
    createObject(this.#server.storage, kinds.lease, leaseObject(node, now - phase));
    this.#renewAt(node, leaseKey(node), now - phase + renewEvery);
  }

  /** The node goes, and its lease with it. */
  stop(node: string): void {
    this.#running.get(node)?.();
    this.#running.delete(node);
    this.#cutOff.delete(node);
    this.#server.storage.store.of(kinds.lease).remove(leaseKey(node));
  }

  cutOff(nodes: readonly string[]): void {
    for (const node of nodes) this.#cutOff.add(node);
  }

  /** They renew at their next regular time, within 10 s. */
  heal(nodes: readonly string[] = [...this.#cutOff]): void {
    for (const node of nodes) this.#cutOff.delete(node);
  }

  #renewAt(node: string, lease: string, at: Instant): void {
    this.#running.set(
      node,
      this.#agenda.at(at, (now) => {
        if (this.reachable && this.#path.carriesRenewals && !this.#cutOff.has(node)) this.#renew(node, lease, now);
        this.#renewAt(node, lease, at + renewEvery * (1 + jitterFraction * this.#server.storage.chance()));
      }),
    );
  }

  #renew(node: string, key: string, now: Instant): void {
    const { storage } = this.#server;
    const leases = storage.store.of(kinds.lease);
    const lease = leases.get(key);
    if (lease === undefined) {
      createObject(storage, kinds.lease, leaseObject(node, now + this.ahead));
    } else {
      // Goes straight into the store: a renewal changes one field, and there are very many renewals.
      const spec: JsonObject = { ...asObject(lease.object['spec']), renewTime: microTime(now + this.ahead) };
      leases.put({ ...lease.object, spec });
    }
    markReady(storage, node, 'True', 'KubeletReady', now);
  }
}

/** Of a node's lease in the store. */
function leaseKey(node: string): string {
  return `kube-node-lease/${node}`;
}
