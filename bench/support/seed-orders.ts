import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';

/** The orders for a seed process. */
export type SeedOrder =
  | (Readonly<{ order: 'start' }> & SeedSize)
  /** One after the other, evenly over so long. */
  | Readonly<{ order: 'reveal'; over: Millis }>
  /** All nodes lose their way, after leases whose ages are spread evenly over this range. */
  | Readonly<{ order: 'cutOff'; ages: readonly [Millis, Millis] }>
  | Readonly<{ order: 'report' }>;

export type SeedSize = Readonly<{
  configFile: string;
  shoots: number;
  nodes: number;
  /** Then all shoots are reached by this kubeconfig, and are not probed until they are revealed. */
  elsewhere?: string;
}>;

export type SeedAnswer = Readonly<{ kubeconfig: string }> | SeedReport;

export type SeedReport = Readonly<{
  outages: readonly Outage[];
  /** Of the seed's process. */
  cpuSeconds: number;
  residentBytes: number;
}>;

/** How one shoot fared since it was cut off. */
export type Outage = Readonly<{
  shoot: ShootNamespace;
  /** By its leases. */
  crossedAt: Instant;
  /** When a kube-controller-manager would mark the first node. */
  firstMarkAt: Instant;
  firstWriteAt: Instant | undefined;
  /** The kube-controller-manager was asked to go, and was gone. */
  controllerManager: Readonly<{ scaledAt: Instant | undefined; goneAt: Instant | undefined }>;
  marks: number;
}>;
