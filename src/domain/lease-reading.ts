import type { NodeLease } from './node-lease.ts';
import { readInstant } from './time.ts';
import { textAt, valueAt } from './value-at.ts';

/** The longest name that Kubernetes gives an object (a DNS subdomain). */
const longestName = 253;

/**
 * Keeps of a `coordination.k8s.io/v1` Lease what tells a node's health (SPEC 5.1). Anything may come in. The holder is
 * not read: in `kube-node-lease` the name is the node's. Undefined where there is no usable name, which no API server
 * would send.
 */
export function readLease(object: unknown): NodeLease | undefined {
  const node = textAt(object, 'metadata', 'name');
  if (node === '' || node.length > longestName) return undefined;
  return { node, renewedAt: readInstant(valueAt(object, 'spec', 'renewTime')) ?? null };
}
