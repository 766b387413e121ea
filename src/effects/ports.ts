import type { Observable } from 'rxjs';
import type { MachineView, NodeView } from '../domain/prober/candidates.ts';
import type { ClusterAnswer } from '../domain/prober/cluster-view.ts';
import type { DependantRef } from '../domain/prober/dependant.ts';
import type { NodeLease } from '../domain/prober/node-lease.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import type { ReadAnswer, ResourceChange, WriteAnswer } from '../domain/prober/resource-change.ts';
import type { PresentResource } from '../domain/prober/resource-view.ts';
import type { ServedDate } from '../domain/prober/served-date.ts';
import type { ShootNamespace } from '../domain/shoot-namespace.ts';
import type { Instant } from '../domain/time.ts';
import type { DeletionAnswer } from '../domain/weeder/deletion.ts';
import type { PodRef, PodView } from '../domain/weeder/pod-view.ts';
import type { ServiceKey, ServiceRef } from '../domain/weeder/service-ref.ts';
import type { PodSelector } from '../domain/weeder/weeder-config.ts';
import type { SeedEvent } from '../machines/shoot-language.ts';
import type { ServiceEvent } from '../machines/weeder-language.ts';

export interface Clock {
  now(): Instant;
  /** Emits once, at or after `at` and never before it, then completes. Unsubscribing cancels the timer. */
  wakeAt(at: Instant): Observable<Instant>;
}

/** A number in [0, 1). Ask it only for jitter; never for a decision. */
export type Chance = () => number;

export type Answer<Value> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: ProbeFailure }>;

/** `served` is absent where the shoot's answers bear no date that can be read. */
export type LeasesRead = Readonly<{ leases: readonly NodeLease[]; served?: ServedDate }>;

/** The shoot's own API server, through the kubeconfig in its Secret (SPEC 4). */
export interface ShootApi {
  /** `/version` with its date (SPEC 5.1), then every lease of `kube-node-lease`, over one fresh connection. Never rejects. Gives up at `deadlineAt` or when `signal` aborts. */
  listLeases(shoot: ShootNamespace, deadlineAt: Instant, signal: AbortSignal): Promise<Answer<LeasesRead>>;
  /** Every node; over the probe's own connection where it is asked for as soon as the leases are answered, else over a fresh one. Never rejects. */
  listNodes(shoot: ShootNamespace, deadlineAt: Instant, signal: AbortSignal): Promise<Answer<readonly NodeView[]>>;
}

/** Machines in the shoot's namespace of the seed (SPEC 5.2); rides in the bucket of the scale-downs. Never rejects. */
export interface MachineApi {
  listMachines(
    shoot: ShootNamespace,
    deadlineAt: Instant,
    signal: AbortSignal,
  ): Promise<Answer<readonly MachineView[]>>;
}

/** One Cluster by a GET, while the stream of them cannot be relied on (SPEC 3.5); rides in the bucket of the scale-downs. Never rejects. */
export interface ClusterApi {
  readCluster(shoot: ShootNamespace, deadlineAt: Instant, signal: AbortSignal): Promise<ClusterAnswer>;
}

/** Reads and writes one scalable resource in the seed (SPEC 6.4 to 6.8). Never rejects, never retries. */
export interface Scaler {
  /**
   * Guarded by `seen.resourceVersion`. Aborting `withdrawn` before the request is sent answers `withdrawn`;
   * later it changes nothing.
   */
  write(
    shoot: ShootNamespace,
    ref: DependantRef,
    seen: PresentResource,
    change: ResourceChange,
    options: Readonly<{ urgent: boolean; withdrawn: AbortSignal }>,
  ): Promise<WriteAnswer>;
  /** A kind that the seed does not serve, like a 404, is read as missing. */
  read(shoot: ShootNamespace, ref: DependantRef, options: Readonly<{ urgent: boolean }>): Promise<ReadAnswer>;
}

/** What the watches on the seed hold (SPEC 3, 6.2), kept projected. */
export interface SeedWatch {
  /** The namespaces of all Clusters there are; first once the first lists are in, then at each arrival or departure. */
  readonly shoots$: Observable<ReadonlySet<ShootNamespace>>;
  /** All that is known of one shoot, at once, then each change as it comes. */
  events$(shoot: ShootNamespace): Observable<SeedEvent>;
}

/** What the watch on the seed's EndpointSlices holds of the configured services (SPEC 7.1), kept projected. */
export interface ServiceWatch {
  /** The services that have an EndpointSlice; first once the first list is in, then at each arrival or departure. */
  readonly services$: Observable<ReadonlySet<ServiceKey>>;
  /** All that is known of one service, at once, then each change as it comes. */
  events$(service: ServiceKey): Observable<ServiceEvent>;
}

export type PodNews =
  | Readonly<{ type: 'changed'; pod: PodView }>
  /** Also where no selector picks it any more. */
  | Readonly<{ type: 'gone'; pod: PodRef }>;

/** The dependants of a service, while somebody looks after them (SPEC 7.2, 7.4). */
export interface PodWatch {
  /**
   * Follows the pods of the service's namespace, one watch for each selector. Tells a pod once it crash-loops, and from
   * then on each change of its state; of one that never did, nothing. A pod that several selectors pick is one. Mends
   * itself; never errors and never completes. Its requests ride in the bucket of the weeder (SPEC 1.2).
   */
  pods$(of: ServiceRef, selectors: readonly PodSelector[]): Observable<PodNews>;
}

/** Deletes one pod (SPEC 7.3). Never rejects, never retries. */
export interface PodRemover {
  /**
   * With the UID as its precondition, in the bucket of the weeder (SPEC 1.2). Aborting `withdrawn` before the request is
   * sent answers `withdrawn`; later it changes nothing.
   */
  remove(namespace: string, pod: PodRef, withdrawn: AbortSignal): Promise<DeletionAnswer>;
}
