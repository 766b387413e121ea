import { Observable, Subject } from 'rxjs';
import type { MachineView, NodeView } from 'dependency-watchdog/domain/prober/candidates.ts';
import type { ClusterAnswer, ClusterReading, ClusterView } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import {
  dependantKey,
  writesAtOnce,
  type DependantKey,
  type DependantRef,
} from 'dependency-watchdog/domain/prober/dependant.ts';
import { isUndone } from 'dependency-watchdog/domain/prober/due-change.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { ProbeFailure, ProbeStage } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type {
  ReadAnswer,
  ResourceChange,
  WriteAnswer,
  PresentResource,
  ResourceView,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type {
  Answer,
  Clock,
  ClusterApi,
  LeasesRead,
  MachineApi,
  Scaler,
  SeedWatch,
  ShootApi,
} from 'dependency-watchdog/effects/ports.ts';
import type { SeedEvent } from 'dependency-watchdog/machines/shoot-language.ts';

/** `slow`: it answers after 3 s. `leasesHang`, `leasesFail`: it gives its version, and no leases, as without its etcd. */
export type ApiBehaviour =
  | 'up'
  | 'slow'
  | 'down'
  | 'turningAway'
  | 'hanging'
  | 'throttled'
  | 'garbled'
  | 'unauthorized'
  | 'leasesHang'
  | 'leasesFail';
export type WriteBehaviour = 'fine' | 'conflict' | 'refused' | 'lostAnswer';

type Resource = {
  exists: boolean;
  version: number;
  generation: number;
  observedGeneration: number;
  replicas: number;
  ready: number;
  mark: boolean;
  record: string | undefined;
  ignored: boolean;
};

type Node = {
  name: string;
  phase: Millis;
  cutOffAt: Instant | undefined;
  healedAt: Instant;
  view: NodeView;
  machine: string | undefined;
  /** Whether its kubelet has a lease at all. */
  leased: boolean;
  /** By the clock of its kubelet, which writes the lease. */
  clockBehind: Millis;
  /** What it wrote from then on comes so much later. */
  heldUp: Readonly<{ from: Instant; by: Millis }> | undefined;
};

/** What a webhook sees of a write. */
export type Admitted = Pick<Resource, 'replicas' | 'mark' | 'record'>;

/** What a write did, with what stood there before and after it, for the laws. */
export type Written = Readonly<{
  at: Instant;
  key: DependantKey;
  change: ResourceChange;
  before: PresentResource;
  after: PresentResource;
}>;

/** How long somebody waits for an answer. */
type Patience = Readonly<{ deadlineAt: Instant; signal: AbortSignal | undefined }>;

export const renewEvery: Millis = 10_000;

export const activeCluster: ClusterView = {
  deleting: false,
  hibernationEnabled: false,
  hibernated: false,
  lastOperation: { type: 'Reconcile', state: 'Succeeded' },
  workers: [{ name: 'pool' }],
};

/**
 * One shoot and its seed as far as the ports can tell, in memory and on any clock. Kubelets are computed, not run;
 * Deployments follow their replicas after a short while. The test switches faults on; none acts by itself.
 */
export class SimWorld implements SeedWatch, ShootApi, MachineApi, ClusterApi, Scaler {
  readonly shoot = 'shoot--sim--one';
  readonly writes: Written[] = [];
  readonly asked = { leases: 0, internal: 0, external: 0, nodes: 0, machines: 0, clusters: 0, reads: 0 };
  api: ApiBehaviour = 'up';
  /** Between the kubelets, and the external path, and the API server. */
  loadBalancer: ApiBehaviour = 'up';
  /** The paths whose Secret is missing. */
  readonly withoutSecret = new Set<ShootPath>();
  writing: WriteBehaviour = 'fine';
  readingFails = false;
  /** The stream of Clusters, and the GET of one. */
  clustersWatched = true;
  clusterReadingFails = false;
  /** The stream of Clusters works, and tells nothing new. */
  clustersLag = false;
  /** By how much the dates of the shoot's answers, and its kubelets' clocks, are ahead of the true time. */
  shootAhead: Millis = 0;
  /** By how much each of its API servers is ahead of that; which one answers is drawn. */
  servers: readonly [Millis, ...Millis[]] = [0];
  /** The names of dependants that may not be read (403). */
  readonly forbidden = new Set<DependantKey>();
  /** What a webhook or a policy makes of a write of ours; none by default. */
  admission: (key: DependantKey, asked: Admitted, before: Admitted) => Admitted = (_, asked) => asked;
  /** So long the pods of these take to end. */
  readonly endsIn = new Map<DependantKey, Millis>();
  /** The replicas of these do not follow. */
  readonly stuck = new Set<DependantKey>();
  watching = true;
  cluster: ClusterReading | undefined = { readable: true, cluster: activeCluster };
  readonly nodes: Node[] = [];
  /** The process of its API server that gave the last list of leases; none where the last question had no answer, which leaves no ticket. */
  #known: number | undefined;
  #process = 0;
  /** Whether there is a lease that has no readable time. */
  unreadable = false;
  readonly #resources = new Map<DependantKey, Resource>();
  readonly #changes = new Subject<SeedEvent>();
  readonly #sets = new Subject<ReadonlySet<string>>();
  readonly #clock: Clock;
  /** The dependants that the seed's watches show. */
  readonly #watched: readonly DependantKey[];
  /** The Cluster as the stream holds it. */
  #toldCluster: ClusterReading | undefined = this.cluster;
  #version = 100;

  constructor(clock: Clock, config: ProberConfig, nodeCount = 5) {
    this.#clock = clock;
    this.#watched = config.dependants.filter(({ ref }) => writesAtOnce(ref)).map(({ key }) => key);
    for (let index = 0; index < nodeCount; index++) this.addNode(`node-${index}`);
    for (const { key } of config.dependants)
      this.#resources.set(key, {
        exists: true,
        version: ++this.#version,
        generation: 1,
        observedGeneration: 1,
        replicas: 2,
        ready: 2,
        mark: false,
        record: undefined,
        ignored: false,
      });
  }

  // Faults and changes that a test causes.

  addNode(name: string, machine = 'Running'): void {
    this.nodes.push({
      name,
      phase: (this.nodes.length * 1_700) % renewEvery,
      cutOffAt: undefined,
      healedAt: -Infinity,
      view: { name, pool: 'pool', unmanaged: false, trueConditions: [], inPlaceUpdate: false },
      machine,
      leased: true,
      clockBehind: 0,
      heldUp: undefined,
    });
  }

  cutOff(count = this.nodes.length): void {
    for (const node of this.nodes.slice(0, count)) node.cutOffAt ??= this.#clock.now();
  }

  /** Its API server is up, as a new process. */
  restart(): void {
    this.api = 'up';
    this.#process += 1;
  }

  heal(): void {
    for (const node of this.nodes) {
      if (node.cutOffAt === undefined) continue;
      node.cutOffAt = undefined;
      node.healedAt = this.#clock.now();
    }
  }

  setCluster(reading: ClusterReading | undefined): void {
    this.cluster = reading;
    if (this.clustersWatched && !this.clustersLag) this.#tellCluster();
  }

  /** Somebody else changes a resource. */
  edit(
    key: DependantKey,
    change: Partial<Pick<Resource, 'exists' | 'replicas' | 'mark' | 'record' | 'ignored'>>,
  ): void {
    const resource = this.#of(key);
    const scaled = change.replicas !== undefined && change.replicas !== resource.replicas;
    Object.assign(resource, change);
    this.#touched(key, resource, scaled);
  }

  /** The replicas of a stuck dependant follow now. */
  follow(key: DependantKey): void {
    const resource = this.#of(key);
    this.stuck.delete(key);
    resource.observedGeneration = resource.generation;
    resource.ready = resource.replicas;
    this.#touched(key, resource, false);
  }

  /** The seed is restored from a backup in which all of these run; no watch shows it. */
  restore(keys: readonly DependantKey[]): void {
    for (const key of keys)
      Object.assign(this.#of(key), { version: 1, replicas: 2, ready: 2, mark: false, record: undefined });
  }

  breakClusters(): void {
    this.clustersWatched = false;
    this.#changes.next({ type: 'cluster.watched', at: this.#clock.now(), live: false });
  }

  /** The watch then brings what changed meanwhile, as after a new list. */
  mendClusters(): void {
    this.clustersWatched = true;
    this.#tellCluster();
    this.#changes.next({ type: 'cluster.watched', at: this.#clock.now(), live: true });
  }

  breakWatch(): void {
    this.watching = false;
    for (const key of this.#watched)
      this.#changes.next({ type: 'dependant.watched', at: this.#clock.now(), key, live: false });
  }

  mendWatch(): void {
    this.watching = true;
    for (const event of this.#present()) this.#changes.next(event);
  }

  state(key: DependantKey): Readonly<Resource> {
    return this.#of(key);
  }

  // SeedWatch.

  get shoots$(): Observable<ReadonlySet<string>> {
    return new Observable((observer) => {
      observer.next(new Set(this.#toldCluster === undefined ? [] : [this.shoot]));
      return this.#sets.subscribe(observer);
    });
  }

  events$(): Observable<SeedEvent> {
    return new Observable((observer) => {
      for (const event of this.#present()) observer.next(event);
      observer.next({ type: 'cluster.watched', at: this.#clock.now(), live: this.clustersWatched });
      if (this.#toldCluster !== undefined)
        observer.next({ type: 'cluster.changed', at: this.#clock.now(), reading: this.#toldCluster });
      return this.#changes.subscribe(observer);
    });
  }

  // ShootApi and MachineApi.

  listLeases(_shoot: string, deadlineAt: Instant, signal?: AbortSignal): Promise<Answer<LeasesRead>> {
    this.asked.leases++;
    const sentAt = this.#clock.now();
    const known = this.#known;
    // A ticket that nobody was shown serves again.
    if (!['down', 'hanging', 'turningAway'].includes(this.api)) this.#known = undefined;
    return this.#answer('version', { deadlineAt, signal }, () => {
      const receivedAt = this.api === 'slow' ? this.#clock.now() : sentAt + 8;
      // As good as drawn, and the same in each run.
      const server = this.servers[Math.floor(sentAt / 7) % this.servers.length] ?? 0;
      const date = Math.floor((receivedAt + this.shootAhead + server) / 1_000) * 1_000;
      const leases = this.nodes
        .filter(({ leased }) => leased)
        .map((node) => ({ node: node.name, renewedAt: this.#renewTime(node) }));
      const isNew = known !== undefined && known !== this.#process;
      this.#known = this.#process;
      return { leases, served: { date, sentAt, receivedAt }, ...(isNew && { serverIsNew: true }) };
    });
  }

  async askPath(
    _shoot: string,
    path: ShootPath,
    deadlineAt: Instant,
    signal?: AbortSignal,
  ): Promise<ProbeFailure | undefined> {
    this.asked[path]++;
    if (this.withoutSecret.has(path)) return { stage: path, reason: 'kubeconfig', detail: 'its Secret is missing' };
    // What goes through the load balancer ends at the same API server.
    const behaviour = path === 'external' && this.loadBalancer !== 'up' ? this.loadBalancer : this.api;
    const answer = await this.#answer(path, { deadlineAt, signal }, () => undefined, behaviour);
    return answer.ok ? undefined : answer.failure;
  }

  listNodes(_shoot: string, deadlineAt: Instant, signal?: AbortSignal): Promise<Answer<readonly NodeView[]>> {
    this.asked.nodes++;
    return this.#answer('nodes', { deadlineAt, signal }, () => this.nodes.map(({ view }) => view));
  }

  listMachines(_shoot: string, deadlineAt: Instant, signal?: AbortSignal): Promise<Answer<readonly MachineView[]>> {
    this.asked.machines++;
    const machines = this.nodes.flatMap(({ name, machine }) =>
      machine === undefined ? [] : [{ node: name, phase: machine }],
    );
    const failure = { stage: 'machines', reason: 'timeout', detail: 'no answer in time' } as const;
    return this.#inTime<Answer<readonly MachineView[]>>(
      3,
      { deadlineAt, signal },
      () => ({ ok: true, value: machines }),
      {
        ok: false,
        failure,
      },
    );
  }

  // ClusterApi.

  readCluster(_shoot: string, deadlineAt: Instant, signal?: AbortSignal): Promise<ClusterAnswer> {
    this.asked.clusters++;
    const read = (): ClusterAnswer => {
      if (this.clusterReadingFails) return { outcome: 'failed', detail: 'the seed said no' };
      return this.cluster === undefined ? { outcome: 'gone' } : { outcome: 'read', reading: this.cluster };
    };
    return this.#inTime(4, { deadlineAt, signal }, read, { outcome: 'failed', detail: 'no answer in time' });
  }

  // Scaler.

  write(
    _shoot: string,
    ref: DependantRef,
    seen: PresentResource,
    change: ResourceChange,
    options: { withdrawn: AbortSignal },
  ): Promise<WriteAnswer> {
    return this.#after(4, (): WriteAnswer => {
      if (options.withdrawn.aborted) return { outcome: 'withdrawn' };
      const resource = this.#resources.get(dependantKey(ref));
      if (resource?.exists !== true) return { outcome: 'missing' };
      if (this.writing === 'refused' || Number(change.replicas) < 0)
        return { outcome: 'failed', detail: 'the seed said no' };
      if (this.writing === 'conflict' || seen.resourceVersion !== String(resource.version))
        return { outcome: 'conflict' };
      const before = this.#view(resource);
      const { replicas, mark, record } = resource;
      const asked = {
        replicas: change.replicas ?? replicas,
        mark: change.mark ?? mark,
        record: change.record === undefined ? record : change.record === null ? undefined : String(change.record),
      };
      const admitted = this.admission(dependantKey(ref), asked, { replicas, mark, record });
      const isSame = admitted.replicas === replicas && admitted.mark === mark && admitted.record === record;
      Object.assign(resource, admitted);
      // What changes nothing gets no new version, and no watch tells of it.
      if (!isSame) this.#touched(dependantKey(ref), resource, admitted.replicas !== replicas);
      const view = this.#view(resource);
      this.writes.push({ at: this.#clock.now(), key: dependantKey(ref), change, before, after: view });
      return this.writing === 'lostAnswer'
        ? { outcome: 'failed', detail: 'the answer was lost', perhapsWritten: true }
        : { outcome: isUndone({ replicas, ...change }, view) ? 'undone' : 'written', view };
    });
  }

  read(_shoot: string, ref: DependantRef): Promise<ReadAnswer> {
    this.asked.reads++;
    return this.#after(4, (): ReadAnswer => {
      if (this.readingFails) return { outcome: 'failed', detail: 'the seed said no' };
      if (this.forbidden.has(dependantKey(ref))) return { outcome: 'refused', detail: 'the seed forbids it' };
      const resource = this.#resources.get(dependantKey(ref));
      return { outcome: 'read', view: resource?.exists === true ? this.#view(resource) : { found: false } };
    });
  }

  #renewTime(node: Node): Instant | null {
    return this.unreadable ? null : this.#renewedAt(node) + this.shootAhead - node.clockBehind;
  }

  #renewedAt({ phase, cutOffAt, healedAt, heldUp }: Node): Instant {
    const now = this.#clock.now();
    const shownUntil = heldUp === undefined ? now : Math.max(heldUp.from, now - heldUp.by);
    const until = Math.min(cutOffAt ?? now, shownUntil);
    const regular = Math.floor((until - phase) / renewEvery) * renewEvery + phase;
    return cutOffAt === undefined ? Math.max(regular, healedAt) : regular;
  }

  #answer<Value>(
    stage: ProbeStage,
    patience: Patience,
    give: () => Value,
    behaviour = this.api,
  ): Promise<Answer<Value>> {
    const fail = (reason: ProbeFailure['reason'], at = stage, turnedAway?: true): Answer<Value> => ({
      ok: false,
      failure: { stage: at, reason, detail: `the shoot is ${behaviour}`, ...(turnedAway && { turnedAway }) },
    });
    const answer = (delay: Millis, what: () => Answer<Value>) => this.#inTime(delay, patience, what, fail('timeout'));
    switch (behaviour) {
      case 'up':
        return answer(8, () => ({ ok: true, value: give() }));
      case 'slow':
        return answer(3_000, () => ({ ok: true, value: give() }));
      case 'down':
        return answer(1, () => fail('unreachable'));
      case 'turningAway':
        return answer(1, () => fail('unreachable', stage, true));
      case 'garbled':
        return answer(5, () => fail('garbled'));
      case 'throttled':
        return answer(5, () => fail('throttled'));
      case 'unauthorized':
        return answer(5, () => fail('unauthorized'));
      case 'leasesFail':
        return answer(9, () => fail('refused', 'leases'));
      case 'hanging':
        return answer(Infinity, () => fail('timeout'));
      case 'leasesHang':
        return this.#onceServed(patience, () => ({ ok: true, value: give() }), fail('timeout', 'leases'));
    }
  }

  /** What it was asked meanwhile is answered when its leases are there again. */
  async #onceServed<Value>({ deadlineAt, signal }: Patience, give: () => Value, late: Value): Promise<Value> {
    const now = this.#clock.now();
    if (this.api !== 'leasesHang') return give();
    if (now >= deadlineAt || signal?.aborted === true) return late;
    await this.#after(100, () => undefined);
    return this.#onceServed({ deadlineAt, signal }, give, late);
  }

  /** What `give` gives after the delay; `late` at the deadline, or as soon as nobody waits for it. */
  #inTime<Value>(delay: Millis, { deadlineAt, signal }: Patience, give: () => Value, late: Value): Promise<Value> {
    if (signal?.aborted === true) return Promise.resolve(late);
    const at = this.#clock.now() + delay;
    return new Promise((resolve) => {
      const giveUp = () => resolve(late);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#clock.wakeAt(Math.min(at, deadlineAt)).subscribe(() => {
        signal?.removeEventListener('abort', giveUp);
        resolve(at <= deadlineAt ? give() : late);
      });
    });
  }

  #after<Value>(delay: Millis, give: () => Value): Promise<Value> {
    return new Promise((resolve) => {
      this.#clock.wakeAt(this.#clock.now() + delay).subscribe(() => resolve(give()));
    });
  }

  #touched(key: DependantKey, resource: Resource, scaled: boolean): void {
    resource.version = ++this.#version;
    if (scaled) resource.generation++;
    this.#tell(key);
    if (!scaled) return;
    // The workload follows as its controller and kubelets do: down at once, up after a start.
    const { generation, replicas } = resource;
    this.#clock.wakeAt(this.#clock.now() + (replicas === 0 ? (this.endsIn.get(key) ?? 200) : 2_000)).subscribe(() => {
      if (resource.generation !== generation || this.stuck.has(key)) return;
      resource.observedGeneration = generation;
      resource.ready = replicas;
      resource.version = ++this.#version;
      this.#tell(key);
    });
  }

  #tellCluster(): void {
    const at = this.#clock.now();
    const before = this.#toldCluster;
    const reading = this.cluster;
    this.#toldCluster = reading;
    if (reading !== undefined) {
      if (before === undefined) this.#sets.next(new Set([this.shoot]));
      this.#changes.next({ type: 'cluster.changed', at, reading });
    } else if (before !== undefined) {
      this.#changes.next({ type: 'cluster.gone', at });
      this.#sets.next(new Set());
    }
  }

  #tell(key: DependantKey): void {
    if (this.watching && this.#watched.includes(key))
      this.#changes.next({ type: 'dependant.changed', at: this.#clock.now(), key, view: this.#seen(key) });
  }

  #present(): SeedEvent[] {
    const at = this.#clock.now();
    if (!this.watching) return [];
    return this.#watched.flatMap((key): SeedEvent[] => [
      { type: 'dependant.changed', at, key, view: this.#seen(key) },
      { type: 'dependant.watched', at, key, live: true },
    ]);
  }

  #seen(key: DependantKey): ResourceView {
    const resource = this.#of(key);
    return resource.exists ? this.#view(resource) : { found: false, resourceVersion: String(resource.version) };
  }

  #view({
    version,
    replicas,
    ready,
    generation,
    observedGeneration,
    mark,
    record,
    ignored,
  }: Resource): PresentResource {
    return {
      found: true,
      resourceVersion: String(version),
      replicas,
      readyReplicas: ready,
      observed: observedGeneration >= generation,
      marked: mark,
      ignored,
      ...(record === undefined ? {} : { record }),
    };
  }

  #of(key: DependantKey): Resource {
    const resource = this.#resources.get(key);
    if (resource === undefined) throw new Error(`${key} is not configured`);
    return resource;
  }
}
