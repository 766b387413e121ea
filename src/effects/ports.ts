import type { Observable } from 'rxjs';
import type { MachineView, NodeView } from '../domain/prober/candidates.ts';
import type { ClusterAnswer } from '../domain/prober/cluster-view.ts';
import type { DependantRef } from '../domain/prober/dependant.ts';
import type { NodeLease, ServedDate } from '../domain/prober/node-lease.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import type { ReadAnswer, ResourceChange, WriteAnswer, PresentResource } from '../domain/prober/resource-view.ts';
import type { ShootPath } from '../domain/prober/shoot-path.ts';
import type { ShootNamespace } from '../domain/names.ts';
import type { Instant } from '../domain/time.ts';
import type { DeletionAnswer } from '../domain/weeder/pod-ledger.ts';
import type { PodRef, PodView } from '../domain/weeder/pod.ts';
import type { ServiceKey, ServiceRef } from '../domain/weeder/service-ref.ts';
import type { PodSelector } from '../domain/weeder/weeder-config.ts';
import type { SeedEvent } from '../machines/shoot-language.ts';
import type { ServiceEvent } from '../machines/weeder-language.ts';

export interface Clock {
  now(): Instant;
  /** Emits once, at or after `at` and never before it, then completes. Unsubscribing cancels the timer. */
  wakeAt(at: Instant): Observable<Instant>;
}

/** Returns a number in [0, 1). Use it only for jitter, never for a decision. */
export type Chance = () => number;

export type Answer<Value> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: ProbeFailure }>;

/** `served` is absent where the shoot's answers have no readable date. `leftOut`: how many of the oldest leases are not told, since there are too many (SPEC 4.7); absent where none. `serverIsNew`: its process is not the one that answered the last probe, where one alone did so far; absent where nobody can tell. */
export type LeasesRead = Readonly<{
  leases: readonly NodeLease[];
  served?: ServedDate;
  leftOut?: number;
  serverIsNew?: boolean;
}>;

/** The shoot's own API server, through the kubeconfig in its Secret (SPEC 4). */
export interface ShootApi {
  /** Asks for `/version` with its date (SPEC 5.1), then for every lease of `kube-node-lease`, over one fresh connection. Never rejects. Gives up at `deadlineAt`, or when `signal` is aborted. Of those that wait to begin, the ones that are needed `by` an earlier instant go first. */
  listLeases(
    shoot: ShootNamespace,
    deadlineAt: Instant,
    signal: AbortSignal,
    by?: Instant,
  ): Promise<Answer<LeasesRead>>;
  /** Asks for `/version` on one path, over a connection of its own (SPEC 4.9). Never rejects; for the rest as `listLeases`. Undefined where the API server answered. */
  askPath(
    shoot: ShootNamespace,
    path: ShootPath,
    deadlineAt: Instant,
    signal: AbortSignal,
    by?: Instant,
  ): Promise<ProbeFailure | undefined>;
  /** Asks for every node: over the probe's own connection if it is called as soon as the leases are answered, otherwise over a fresh one. Never rejects. */
  listNodes(shoot: ShootNamespace, deadlineAt: Instant, signal: AbortSignal): Promise<Answer<readonly NodeView[]>>;
}

/** The Machines in the shoot's namespace of the seed (SPEC 5.2). With `urgent` it uses the bucket of the scale-downs. Never rejects. */
export interface MachineApi {
  listMachines(
    shoot: ShootNamespace,
    deadlineAt: Instant,
    signal: AbortSignal,
    options: Readonly<{ urgent: boolean; by?: Instant | undefined }>,
  ): Promise<Answer<readonly MachineView[]>>;
}

/** Reads one Cluster by a GET, while the watch on Clusters cannot be relied on (SPEC 3.5). Uses the bucket of the scale-downs. Never rejects. */
export interface ClusterApi {
  readCluster(shoot: ShootNamespace, deadlineAt: Instant, signal: AbortSignal, by?: Instant): Promise<ClusterAnswer>;
}

/** Reads and writes one scalable resource in the seed (SPEC 6.4 to 6.8). Never rejects, never retries. */
export interface Scaler {
  /**
   * The write is guarded by `seen.resourceVersion`. If `withdrawn` is aborted before the request is sent, the answer is `withdrawn`;
   * later it changes nothing.
   */
  write(
    shoot: ShootNamespace,
    ref: DependantRef,
    seen: PresentResource,
    change: ResourceChange,
    options: Readonly<{ urgent: boolean; by?: Instant | undefined; withdrawn: AbortSignal }>,
  ): Promise<WriteAnswer>;
  /** A kind that the seed does not serve is read as missing, as after a 404. What is withdrawn before it is sent has failed. */
  read(
    shoot: ShootNamespace,
    ref: DependantRef,
    options: Readonly<{ urgent: boolean; by?: Instant | undefined; withdrawn?: AbortSignal }>,
  ): Promise<ReadAnswer>;
}

/** The projected objects of the watches on the seed (SPEC 3, 6.2). */
export interface SeedWatch {
  /** The namespaces of all Clusters. Emits first when the first lists are in, then each time that one comes or goes. */
  readonly shoots$: Observable<ReadonlySet<ShootNamespace>>;
  /** Emits at once what is known of one shoot, then each change as it comes. */
  events$(shoot: ShootNamespace): Observable<SeedEvent>;
}

/** The projected EndpointSlices of the configured services, from the watch on the seed (SPEC 7.1). */
export interface ServiceWatch {
  /** The services that have an EndpointSlice. Emits first when the first list is in, then each time that one comes or goes. */
  readonly services$: Observable<ReadonlySet<ServiceKey>>;
  /** Emits at once what is known of one service, then each change as it comes. */
  events$(service: ServiceKey): Observable<ServiceEvent>;
}

export type PodNews =
  | Readonly<{ type: 'changed'; pod: PodView }>
  /** Also when no selector picks the pod any more. */
  | Readonly<{ type: 'gone'; pod: PodRef }>;

/** Watches the dependants of a service during its window (SPEC 7.2, 7.4). */
export interface PodWatch {
  /**
   * Watches the pods of the service's namespace that any of the selectors picks. All services of a namespace share one watch. A pod is
   * emitted when it first crash-loops, and from then on at each change of its state; a pod that never crash-loops is not emitted.
   * The selectors must be of the configuration. It recovers by itself, and never errors or completes. Its requests use the bucket of the weeder (SPEC 1.2).
   */
  pods$(of: ServiceRef, selectors: readonly PodSelector[]): Observable<PodNews>;
  /**
   * The namespace has changed unseen: its pods are listed anew, over another connection, and what is news is emitted by `pods$`. It
   * is done once in 10 s at most; a call in between does nothing, and neither does one where nobody watches.
   */
  listAgain(namespace: string): void;
}

/** Deletes one pod (SPEC 7.3). Never rejects, never retries. */
export interface PodRemover {
  /**
   * The UID is a precondition, and so is the version in which the watch has shown the pod in CrashLoopBackOff; the request uses the bucket of
   * the weeder (SPEC 1.2). If `withdrawn` is aborted before the request is sent, or the watch shows the pod no longer in
   * CrashLoopBackOff, the answer is `withdrawn`; later `withdrawn` changes nothing.
   */
  remove(namespace: string, pod: PodRef, withdrawn: AbortSignal): Promise<DeletionAnswer>;
}
