import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
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

/** A real kubelet waits so long for the answer to a renewal. */
const answerWithin: Millis = 10_000;

/** Of the renewals that are not answered in time, so many do not come at all. In a night of real ones two of four did. */
const lostFraction = 0.5;

/** The kubelets of one shoot: each renews its node's lease every 10 s, at a phase of its own, while it can reach the API server. */
export class Kubelets {
  readonly #server: ApiServer;
  readonly #agenda: Agenda;
  readonly #running = new Map<string, () => void>();
  readonly #cutOff = new Set<string>();
  /** Those whose last renewal was not answered in time. */
  readonly #unanswered = new Set<string>();
  /** Nobody reaches an API server that is down. */
  reachable = true;
  /** By how much their clocks are ahead of the world's, in ms: they write the time of a renewal. */
  ahead: Millis = 0;
  /**
   * So long takes each packet one way, as behind a slow gateway. A renewal comes so much later than it was written, and the next one begins 10 s after its answer.
   * One that is not answered in time is the last, if it comes at all: the real kubelet's next ones name a version that it makes old.
   */
  delay: Millis = 0;
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

  /** Whether any of them cannot renew as ever. */
  get isImpaired(): boolean {
    return !this.reachable || this.areCutOff;
  }

  /** Whether any of them cannot reach an API server that is there, or only late. */
  get areCutOff(): boolean {
    return !this.#path.carriesRenewals || this.#cutOff.size > 0 || this.delay > 0;
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
    this.#unanswered.delete(node);
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
        const isAnswered = 2 * this.delay < answerWithin;
        if (isAnswered) this.#unanswered.delete(node);
        if (this.#reaches(node) && !this.#unanswered.has(node)) {
          if (this.delay === 0) this.#renew(node, lease, now);
          else this.#send(node, lease, now);
          if (!isAnswered) this.#unanswered.add(node);
        }
        const answeredAt = isAnswered ? at + 2 * this.delay : at;
        this.#renewAt(node, lease, answeredAt + renewEvery * (1 + jitterFraction * this.#server.storage.chance()));
      }),
    );
  }

  #reaches(node: string): boolean {
    return this.reachable && this.#path.carriesRenewals && !this.#cutOff.has(node);
  }

  /** It comes later, unless the lease is another one by then. */
  #send(node: string, key: string, writtenAt: Instant): void {
    const { storage } = this.#server;
    const leaseNow = () => storage.store.of(kinds.lease).get(key)?.object;
    const sentOver = leaseNow();
    if (sentOver === undefined || (2 * this.delay >= answerWithin && storage.chance() < lostFraction)) return;
    this.#agenda.after(this.delay, () => {
      if (leaseNow() === sentOver && this.#reaches(node)) this.#renew(node, key, writtenAt);
    });
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
