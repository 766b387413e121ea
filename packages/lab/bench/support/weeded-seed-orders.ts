import type { Instant } from 'dependency-watchdog/domain/time.ts';

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
