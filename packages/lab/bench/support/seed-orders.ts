import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';

/**
 * How all nodes lose their way: at once, after leases whose ages are spread evenly over `ages`; each shoot's at a moment of its own within `over`;
 * or the load balancer of every shoot fails as `path` says at once, in the older generation (SPEC 4.9).
 */
export type CutOff =
  | Readonly<{ ages: readonly [Millis, Millis] }>
  | Readonly<{ over: Millis }>
  | Readonly<{ path: Exclude<PathFault['kind'], 'slow'> }>;

export type SeedSize = Readonly<{
  configFile: string;
  shoots: number;
  nodes: number;
  /** Then all shoots are reached by this kubeconfig, and are not probed until they are revealed. */
  elsewhere?: string;
  /** How long a dependant's pod takes from the scale-up until it is ready; the embedded seed's usual pace unless given. */
  podStart?: Millis;
}>;

export type SeedReport = Readonly<{
  outages: readonly Outage[];
  /** What came to the seed's API server, its Lease aside, and to those of all shoots. */
  seed: Traffic;
  shoots: Traffic;
  /** The holder of the watchdog's Lease; empty where there is none. */
  leader: string;
  /**
   * When the first shoot was asked something since then, when the last one was for the first time, and the longest time in which one
   * was asked nothing.
   */
  asked: Readonly<{ first: Instant | undefined; all: Instant | undefined; longestGap: Millis }>;
  watches: number;
  /** Of the seed's process. */
  cpuSeconds: number;
  /** For so long its event loop was at work: where it always is, the seed itself holds up what it measures. */
  busyMillis: Millis;
  residentBytes: number;
}>;

/** So far. */
export type Traffic = Readonly<{ requests: number; handshakes: number; bytes: number }>;

/** How one shoot fared since it was cut off. */
export type Outage = Readonly<{
  shoot: ShootNamespace;
  /** By its leases, or when its path broke; Infinity as long as it is still to be cut off. */
  crossedAt: Instant;
  /** When a kube-controller-manager would mark the first node. */
  firstMarkAt: Instant;
  firstWriteAt: Instant | undefined;
  /** The kube-controller-manager was asked to go, and was gone. */
  controllerManager: Readonly<{ scaledAt: Instant | undefined; goneAt: Instant | undefined }>;
  marks: number;
  healing: Healing | undefined;
}>;

/** How one shoot came back. */
export type Healing = Readonly<{
  /** Undefined as long as it is still to be healed. */
  healedAt: Instant | undefined;
  /** When so many kubelets had renewed that the nodes were no longer cut off: before that, nobody could have known. */
  renewedAt: Instant | undefined;
  /** When the kube-controller-manager had its replicas again: from then on pods are placed and replaced. */
  controllerManagerAt: Instant | undefined;
  /** When all dependants had their replicas as before the outage, and no mark; undefined where one has not, or not any more. */
  askedAt: Instant | undefined;
  /** And when their pods were ready too. */
  backAt: Instant | undefined;
}>;
