import type { Instant } from '../../src/domain/time.ts';

/** The orders for a seed process whose pods are to be weeded. */
export type WeededSeedOrder =
  | (Readonly<{ order: 'start' }> & WeededSeedSize)
  /** The first namespace's first service goes down; `afresh`: once no window is open. */
  | Readonly<{ order: 'fail'; afresh: boolean }>
  /** It comes back, with new crash-looping pods. */
  | Readonly<{ order: 'recover' }>
  /** All services but those that are never to come back. */
  | Readonly<{ order: 'recoverAll' }>
  | Readonly<{ order: 'report' }>;

export type WeededSeedSize = Readonly<{
  namespaces: number;
  /** So many more have a service that never becomes available. */
  forsaken: number;
  /** In each namespace. */
  services: readonly string[];
  /** From the start; else they are down, and their dependants crash-loop. */
  available: boolean;
}>;

export type WeededSeedAnswer =
  | Readonly<{ kubeconfig: string; namespaces: readonly string[] }>
  /** Milliseconds from the stored EndpointSlice to the first DELETE; undefined where none came in 5 s. */
  | Readonly<{ firstDeletion: number | undefined }>
  | WeededSeedReport;

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
