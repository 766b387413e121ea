import type { Instant } from '../time.ts';

/** A lease in `kube-node-lease`, named as its node. */
export type NodeLease = Readonly<{
  node: string;
  /** Null where `renewTime` is missing or cannot be read: neither fresh nor expired (SPEC 5.1). */
  renewedAt: Instant | null;
}>;
