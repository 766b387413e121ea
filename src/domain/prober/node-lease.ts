import { longestName } from '../names.ts';
import { readInstant, type Instant } from '../time.ts';
import { textAt, valueAt } from '../value-at.ts';

/** A lease in `kube-node-lease`, named as its node. */
export type NodeLease = Readonly<{
  node: string;
  /** Null where `renewTime` is missing or cannot be read: neither fresh nor expired (SPEC 5.1). */
  renewedAt: Instant | null;
}>;

// Kubelets have renewed leases since 2018. An instant of the year 0 or 9999 tells nothing of a node, and would stand in sums
// and histograms, which all shoots share, for as long as the process lives.
const earliest = Date.parse('2010-01-01T00:00:00Z');
const latest = Date.parse('2200-01-01T00:00:00Z');

/**
 * Keeps of a `coordination.k8s.io/v1` Lease what tells a node's health (SPEC 5.1). Anything may come in. The holder is
 * not read: in `kube-node-lease` the name is the node's. Undefined where there is no usable name, which no API server
 * would send.
 */
export function readLease(object: unknown): NodeLease | undefined {
  const node = textAt(object, 'metadata', 'name');
  if (node === '' || node.length > longestName) return undefined;
  return { node, renewedAt: renewalOf(valueAt(object, 'spec', 'renewTime')) };
}

function renewalOf(renewTime: unknown): Instant | null {
  const at = readInstant(renewTime);
  return at === undefined || at < earliest || at > latest ? null : at;
}
