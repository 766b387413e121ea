import { asObject, type JsonObject } from '../../../src/simulator/store/kube-object.ts';

/** Whose name is in a Lease; '' where it is free, or is none. */
export function holderOf(lease: JsonObject | undefined): string {
  const { holderIdentity } = asObject(lease?.['spec']);
  return typeof holderIdentity === 'string' ? holderIdentity : '';
}

/** How often it has passed from one holder to another. */
export function transitionsOf(lease: JsonObject | undefined): number {
  const { leaseTransitions } = asObject(lease?.['spec']);
  return typeof leaseTransitions === 'number' ? leaseTransitions : 0;
}
