import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { asObject } from '../store/kube-object.ts';
import { markReady, readinessOf } from './shoot-objects.ts';
import type { Storage } from '../store/object-writes.ts';

/** Kubernetes' --node-monitor-period. */
const monitorEvery: Millis = 5_000;

/** A node that was marked Unknown: the meltdown that the watchdog is there to prevent. */
export type NodeMark = Readonly<{ node: string; at: Instant }>;

/**
 * The part of a shoot's kube-controller-manager that melts a shoot down: its node lifecycle controller. It goes by its
 * own clock: what counts is when it saw a lease move on, not what the lease says. One that goes back in time does not count. It counts from zero
 * after a restart.
 */
export class ControllerManager {
  readonly #shoot: Storage;
  readonly #agenda: Agenda;
  readonly #isRunning: () => boolean;
  readonly #seen = new Map<string, Readonly<{ renewTime: Instant; movedAt: Instant }>>();
  readonly #marks: NodeMark[] = [];
  #cancel: () => void;
  /** `--node-monitor-grace-period`. */
  grace: Millis;

  constructor(options: Readonly<{ shoot: Storage; agenda: Agenda; isRunning: () => boolean; grace: Millis }>) {
    this.#shoot = options.shoot;
    this.#agenda = options.agenda;
    this.#isRunning = options.isRunning;
    this.grace = options.grace;
    const phase = options.shoot.chance() * monitorEvery;
    this.#cancel = this.#agenda.after(phase, (now) => this.#monitor(now));
  }

  /** All marks so far, oldest first. */
  get marks(): readonly NodeMark[] {
    return this.#marks;
  }

  stop(): void {
    this.#cancel();
  }

  #monitor(now: Instant): void {
    this.#cancel = this.#agenda.after(monitorEvery, (next) => this.#monitor(next));
    if (!this.#isRunning()) {
      this.#seen.clear();
      return;
    }
    for (const { object } of this.#shoot.store.of(kinds.node).list()) this.#look(object.metadata.name, now);
  }

  #look(node: string, now: Instant): void {
    const lease = this.#shoot.store.of(kinds.lease).get(`kube-node-lease/${node}`)?.object;
    const written = lease === undefined ? Number.NaN : Date.parse(String(asObject(lease['spec'])['renewTime']));
    const renewTime = Number.isNaN(written) ? -Infinity : written;
    const seen = this.#seen.get(node);
    if (seen === undefined || renewTime > seen.renewTime) {
      this.#seen.set(node, { renewTime, movedAt: now });
      return;
    }
    if (now - seen.movedAt <= this.grace || readinessOf(this.#shoot, node) === 'Unknown') return;
    markReady(this.#shoot, node, 'Unknown', 'NodeStatusUnknown', now);
    this.#marks.push({ node, at: now });
  }
}
