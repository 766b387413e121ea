import type { Instant } from '../../domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import type { Storage } from '../store/object-writes.ts';
import type { PodGroup } from './pod-group.ts';
import { PodReplicas } from './pod-replicas.ts';
import { ServiceSlices } from './service-slices.ts';

/** A pod as it stands in the seed. */
export type ControlPlanePod = Readonly<{
  name: string;
  uid: string;
  group: string;
  ready: boolean;
  crashLooping: boolean;
  /** Of its containers, within this incarnation. */
  restarts: number;
  /** Its kubelet's, while it waits in CrashLoopBackOff. */
  backOffUntil: Instant | undefined;
  /** It is being deleted. */
  ending: boolean;
}>;

export type ControlPlaneParts = Readonly<{
  storage: Storage;
  agenda: Agenda;
  namespace: string;
  groups: readonly PodGroup[];
  /** A number that no other pod of the seed has. */
  nextPod: () => number;
}>;

/** One namespace's etcd, API servers and controllers, as pods of the seed; all of them ready at first. */
export class ControlPlane {
  readonly namespace: string;
  readonly #groups: readonly PodReplicas[];
  /** By the name of the service. */
  readonly #services = new Map<string, ServiceSlices>();

  constructor({ storage, agenda, namespace, groups, nextPod }: ControlPlaneParts) {
    this.namespace = namespace;
    this.#groups = groups.map((group) => {
      const { service, needs, dualStack = false, endpointsPerSlice = 100 } = group;
      const replicas = new PodReplicas({
        storage,
        agenda,
        namespace,
        group,
        newIps: () => addresses(nextPod(), dualStack),
        // A service that no group here provides counts as available.
        isFed: () => needs === undefined || this.#services.get(needs)?.available !== false,
        changed: () => (service === undefined ? undefined : this.#services.get(service)?.follow()),
      });
      if (service === undefined) return replicas;
      const slices = new ServiceSlices({
        storage,
        agenda,
        namespace,
        service,
        families: dualStack ? ['IPv4', 'IPv6'] : ['IPv4'],
        endpointsPerSlice,
        pods: () => replicas.lives,
        turned: () => this.#weighNeeds(service),
      });
      this.#services.set(service, slices);
      return replicas;
    });
  }

  /** Whether every pod is there and ready. */
  get isWell(): boolean {
    return this.#groups.every(({ isWell }) => isWell);
  }

  get pods(): readonly ControlPlanePod[] {
    return this.#groups.flatMap(({ group, lives }) =>
      lives.map(({ name, uid, ready, crashLooping, restarts, backOffUntil, ending }) => ({
        name,
        uid,
        group: group.name,
        ready,
        crashLooping,
        restarts,
        backOffUntil,
        ending,
      })),
    );
  }

  /** The group's containers exit, and exit again whenever they are started. */
  down(group: string): void {
    this.#groupOf(group).down();
  }

  /** They may run again, each from the end of its back-off. */
  up(group: string): void {
    this.#groupOf(group).up();
  }

  /** The group's pods are deleted, as by an operator; those that take their place begin without a back-off. */
  replace(group: string): void {
    this.#groupOf(group).replace();
  }

  /** A pod is being deleted, or gone. */
  notice(name: string, uid: string, became: 'ending' | 'gone'): void {
    this.#groups.some((group) => group.notice(name, uid, became));
  }

  /** From now on nothing happens; all objects stay as they are. */
  stop(): void {
    for (const part of [...this.#groups, ...this.#services.values()]) part.stop();
  }

  #weighNeeds(service: string): void {
    for (const replicas of this.#groups) if (replicas.group.needs === service) replicas.weighNeeds();
  }

  #groupOf(name: string): PodReplicas {
    const found = this.#groups.find(({ group }) => group.name === name);
    if (found === undefined) throw new Error(`the control plane of ${this.namespace} has no ${name}`);
    return found;
  }
}

function addresses(number: number, dualStack: boolean): readonly string[] {
  const ipv4 = `100.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`;
  return dualStack ? [ipv4, `fd00::${number.toString(16)}`] : [ipv4];
}
