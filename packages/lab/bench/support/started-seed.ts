import { setTimeout as pause } from 'node:timers/promises';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { forked, type Forked } from './forked.ts';
import type { SeedCommands } from './seed-process.ts';
import type { WeededSeedCommands } from './weeded-seed-process.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';

/** An embedded seed in a process of its own, which ends when it is disposed of. */
export type StartedSeed = Forked<SeedCommands> & Readonly<{ kubeconfig: string }>;

/** The shoots show one certificate. */
export async function startSeed(size: SeedSize): Promise<StartedSeed> {
  const seed = await forked<SeedCommands>('seed-process.ts', [], ['--max-old-space-size=8000']);
  return Object.assign(seed, { kubeconfig: await seed.start(size) });
}

/** The first report that is so, or the last one before `giveUpAt`. `since`: the instant after which a shoot that is asked something counts as asked. */
export async function reportOnce(
  seed: StartedSeed,
  isIt: (report: SeedReport) => boolean,
  giveUpAt: Instant,
  since: Instant = Infinity,
): Promise<SeedReport> {
  for (;;) {
    const report = await seed.report(since);
    if (isIt(report) || Date.now() >= giveUpAt) return report;
    await pause(100);
  }
}

/** The outages once each kube-controller-manager is gone, or long after the last one would have marked a node. */
export async function untilGone(seed: StartedSeed, cut: readonly SeedOutage[]): Promise<readonly SeedOutage[]> {
  const last = Math.max(...cut.map(({ firstMarkAt }) => firstMarkAt)) + 20_000;
  return (await reportOnce(seed, ({ outages }) => outages.every(isGone), last)).outages;
}

function isGone({ controllerManager }: SeedOutage): boolean {
  return controllerManager.goneAt !== undefined;
}

/** An embedded seed with control planes to be weeded, in a process of its own, which ends when it is disposed of. `namespaces`: of the services that come back. */
export type StartedWeededSeed = Forked<WeededSeedCommands> &
  Readonly<{ kubeconfig: string; namespaces: readonly string[] }>;

export async function startWeededSeed(size: WeededSeedSize): Promise<StartedWeededSeed> {
  const seed = await forked<WeededSeedCommands>('weeded-seed-process.ts', [], ['--max-old-space-size=8000']);
  return Object.assign(seed, await seed.start(size));
}

/**
 * How all nodes of all shoots, or of so many, lose their way: at once, after leases whose ages are spread evenly over `ages`; each shoot's at a moment of its own within `over`;
 * or the load balancer of every shoot fails as `path` says at once, in the older generation (SPEC 4.9).
 */
export type CutOff = Readonly<{ shoots?: number }> &
  (
    | Readonly<{ ages: readonly [Millis, Millis] }>
    | Readonly<{ over: Millis }>
    | Readonly<{ path: Exclude<PathFault['kind'], 'slow'> }>
  );

export type SeedSize = Readonly<{
  configFile: string;
  shoots: number;
  nodes: number;
  /** Then all shoots are reached by this kubeconfig, and are not probed until they are revealed. */
  elsewhere?: string;
  /** How long a dependant's pod takes from the scale-up until it is ready; the embedded seed's usual pace unless given. */
  podStart?: Millis;
  /** So many more, whose owners do what an attack names; those are reached by the kubeconfig where it answers in their place. */
  hostile?: Readonly<{ shoots: number; attack: string; elsewhere: string }>;
}>;

export type SeedReport = Readonly<{
  outages: readonly SeedOutage[];
  /** What came to the seed's API server, its Lease aside, and to those of all shoots. */
  seed: Traffic;
  shoots: Traffic;
  /** The holder of the watchdog's Lease; empty where there is none. */
  leader: string;
  /**
   * When the first honest shoot was asked something since then, when the last one was for the first time, and the longest time in which
   * one was asked nothing.
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
export type SeedOutage = Readonly<{
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

export type WeededSeedSize = Readonly<{
  namespaces: number;
  /** So many more have a service that never becomes available. */
  forsaken: number;
  /** In each namespace. */
  services: readonly string[];
  /** From the start; else they are down, and their dependants crash-loop. */
  available: boolean;
}>;

export type WeededSeedReport = Readonly<{
  recoveries: readonly Recovery[];
  /** So far, by words like `list pods`. */
  requests: Readonly<Record<string, number>>;
  /** Pods that were deleted wrongly, or twice. */
  mistakes: readonly string[];
  watches: number;
  openConnections: number;
  /** So far. */
  madeConnections: number;
  cpuSeconds: number;
}>;

type Recovery = Readonly<{
  namespace: string;
  availableAt: Instant;
  /** When its DELETEs arrived, in order. */
  deletedAt: readonly Instant[];
  /** Crash-looping dependants for which no DELETE came. */
  left: number;
}>;
