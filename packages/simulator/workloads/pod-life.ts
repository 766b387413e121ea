import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import {
  crashBackOff,
  looksAgainAfter,
  backOffMessage,
  type ContainerRole,
  type ContainerView,
  podStatus,
  podObject,
  runningContainer,
} from './pod-status.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { asObject } from '../store/kube-object.ts';
import { objectKey } from '../store/revision.ts';
import { createObject, replaceObject, type Storage } from '../store/object-writes.ts';
import type { PodGroup } from './pod-group.ts';

export type PodLifeParts = Readonly<{
  storage: Storage;
  agenda: Agenda;
  namespace: string;
  name: string;
  group: PodGroup;
  owner: Readonly<{ kind: string; name: string; uid: string }>;
  ips: readonly string[];
  /** Whether its containers would run now. */
  mayRun: () => boolean;
  /** Called after each change of its readiness. */
  changed: () => void;
}>;

/** A container, with the kubelet's memory of it. */
type Container = {
  view: ContainerView;
  startedAt: Instant;
  /** Undefined where it never exited. */
  backOff: Millis | undefined;
  backOffUntil: Instant | undefined;
  /** What comes next in its life. */
  next: (() => void) | undefined;
};

/** Until a new pod's first container starts: its image is there, its network is made. */
const sandboxTime: Millis = 1_000;

/** An init container or a sidecar starts faster than the main container. */
const smallStartTime: Millis = 500;

/** One incarnation of a pod, and its kubelet: what its containers do is written into its status. */
export class PodLife {
  readonly name: string;
  readonly uid: string;
  /** IPv4 first; none before its network is made. */
  ips: readonly string[];
  /** Its deletion was asked for. */
  ending = false;
  readonly #parts: PodLifeParts;
  readonly #startedAt: Instant;
  readonly #containers: readonly Container[];
  /** When a running container exits because it lacks what it needs. */
  #loss: (() => void) | undefined;

  constructor(parts: PodLifeParts, begin: 'ready' | 'pending') {
    const { storage, agenda, namespace, name, group, owner, ips } = parts;
    this.#parts = parts;
    this.name = name;
    this.ips = begin === 'ready' ? ips : [];
    this.#startedAt = agenda.clock.now();
    this.#containers = rolesOf(group).map((role) => ({
      view: firstView(role, group, begin, this.#startedAt),
      startedAt: this.#startedAt,
      backOff: undefined,
      backOffUntil: undefined,
      next: undefined,
    }));
    const containers = this.#containers.map(({ view }) => view);
    const { labels } = group;
    const draft = podObject({ name, namespace, now: this.#startedAt, labels, containers, owner, ips: this.ips });
    this.uid = createObject(storage, kinds.pod, draft).object.metadata.uid;
    const [first] = this.#containers;
    if (begin === 'pending' && first !== undefined)
      this.#after(first, sandboxTime * (1 + storage.chance() / 2), () => this.#start(first));
  }

  get ready(): boolean {
    return this.#containers.every(({ view }) => view.ready);
  }

  get crashLooping(): boolean {
    return this.#containers.some(({ backOffUntil }) => backOffUntil !== undefined);
  }

  /** Of all its containers. */
  get restarts(): number {
    return this.#containers.reduce((sum, { view }) => sum + view.restarts, 0);
  }

  get backOffUntil(): Instant | undefined {
    return this.#containers.find(({ backOffUntil }) => backOffUntil !== undefined)?.backOffUntil;
  }

  /** What it needs may have come or gone. */
  weighNeeds(): void {
    const { agenda, group, mayRun } = this.#parts;
    if (mayRun()) {
      this.#loss?.();
      this.#loss = undefined;
      return;
    }
    if (this.ending || this.#loss !== undefined) return;
    this.#loss = agenda.after(group.toleratesFor * this.#spread(), () => {
      this.#loss = undefined;
      if (!mayRun()) this.fail(true);
    });
  }

  /** What runs of it and lacks something exits now; only where it was ready already, if told so. */
  fail(onlyReady = false): void {
    for (const container of this.#containers)
      if (container.view.state.state === 'running' && this.#isNeedy(container) && (container.view.ready || !onlyReady))
        this.#exit(container, 1);
  }

  /** Nothing of it comes any more; its object is left as it is. */
  stop(): void {
    this.#loss?.();
    this.#loss = undefined;
    for (const container of this.#containers) container.next?.();
  }

  #start(container: Container): void {
    const now = this.#now();
    const { role } = container.view;
    const isFirst = container.view.last === undefined;
    this.ips = this.#parts.ips;
    container.startedAt = now;
    container.backOffUntil = undefined;
    const restarts = container.view.restarts + (isFirst ? 0 : 1);
    this.#become(container, { state: { state: 'running', startedAt: now }, ready: false, restarts });
    if (role === 'sidecar' && isFirst) this.#goOn(container);
    this.#try(container);
  }

  /** It goes on if it can, and otherwise exits after a while. */
  #try(container: Container): void {
    const { group } = this.#parts;
    const startTime = container.view.role === 'main' ? group.startTime : smallStartTime;
    if (this.#lacks(container)) {
      this.#after(container, (group.failsAfter ?? 1_000) * this.#spread(), () =>
        this.#lacks(container) ? this.#exit(container, 1) : this.#try(container),
      );
      return;
    }
    this.#after(container, startTime * this.#spread(), () => {
      if (this.#lacks(container)) this.#exit(container, 1);
      else if (container.view.role === 'init') this.#exit(container, 0);
      else this.#become(container, { ready: true });
    });
  }

  #exit(container: Container, exitCode: number): void {
    const { startedAt } = container;
    const finishedAt = this.#now();
    const last = { state: 'terminated', exitCode, startedAt, finishedAt } as const;
    if (exitCode === 0) {
      container.next?.();
      this.#become(container, { state: last, ready: true });
      this.#goOn(container);
      return;
    }
    this.#become(container, { state: last, ready: false, last });
    container.backOff = crashBackOff(container.backOff, finishedAt - startedAt);
    const { storage, group } = this.#parts;
    const looksAfter = looksAgainAfter(container.backOff, group.looksLate === true ? storage.chance() : undefined);
    const until = finishedAt + Math.max(container.backOff, looksAfter);
    if (container.backOff > 0) container.backOffUntil = until;
    this.#after(container, looksAfter, () =>
      this.#now() < until ? this.#backOff(container, until) : this.#start(container),
    );
  }

  #backOff(container: Container, until: Instant): void {
    const { name } = container.view;
    const pod = `${this.name}_${this.#parts.namespace}(${this.uid})`;
    const message = backOffMessage(name, pod, (container.backOff ?? 0) / 1_000);
    this.#become(container, { state: { state: 'waiting', reason: 'CrashLoopBackOff', message } });
    this.#after(container, until - this.#now(), () => this.#start(container));
  }

  /** The next container in order starts. */
  #goOn(container: Container): void {
    const following = this.#containers[this.#containers.indexOf(container) + 1];
    if (following?.view.state.state === 'waiting') this.#start(following);
  }

  #lacks(container: Container): boolean {
    return this.#isNeedy(container) && !this.#parts.mayRun();
  }

  /** The main container needs later what an init container waited for. */
  #isNeedy({ view: { role } }: Container): boolean {
    return this.#parts.group.needy === 'sidecar' ? role === 'sidecar' : true;
  }

  #after(container: Container, delay: Millis, task: () => void): void {
    container.next?.();
    container.next = this.#parts.agenda.after(delay, () => {
      container.next = undefined;
      task();
    });
  }

  #become(container: Container, change: Partial<ContainerView>): void {
    container.view = { ...container.view, ...change };
    const { storage, namespace, changed } = this.#parts;
    const current = storage.store.of(kinds.pod).get(objectKey(namespace, this.name));
    if (current?.object.metadata.uid !== this.uid) return;
    const before = asObject(current.object['status']);
    const containers = this.#containers.map(({ view }) => view);
    const status = podStatus({ containers, startedAt: this.#startedAt, now: this.#now(), ips: this.ips, before });
    replaceObject(storage, kinds.pod, current, { ...current.object, status }, 'status');
    changed();
  }

  /** Each takes a time of its own, up to a fifth longer. */
  #spread(): number {
    return 1 + this.#parts.storage.chance() / 5;
  }

  #now(): Instant {
    return this.#parts.agenda.clock.now();
  }
}

function rolesOf({ needy }: PodGroup): readonly ContainerRole[] {
  return needy === undefined ? ['main'] : [needy, 'main'];
}

function firstView(role: ContainerRole, group: PodGroup, begin: 'ready' | 'pending', now: Instant): ContainerView {
  const name = role === 'main' ? group.name : `${group.name}-${role}`;
  if (begin === 'pending') {
    const reason = role === 'main' && group.needy !== undefined ? 'PodInitializing' : 'ContainerCreating';
    return { name, role, state: { state: 'waiting', reason }, ready: false, restarts: 0 };
  }
  if (role !== 'init') return runningContainer(name, now, role);
  const state = { state: 'terminated', exitCode: 0, startedAt: now, finishedAt: now } as const;
  return { name, role, state, ready: true, restarts: 0 };
}
