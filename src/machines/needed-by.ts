import type { Instant } from '../domain/time.ts';
import { leasePolicy, type ShootContext } from './shoot-context.ts';
import { isAnythingDue } from './shielding.ts';

type Needed = Readonly<{ by?: Instant }>;

/**
 * By when a probe, or what it looks for, must have led to a scale-down: when the kube-controller-manager would mark the first node, as far
 * as the last answered probe tells. Where requests wait, the shoot that has the least time goes first (SPEC 1.2). Nothing is said
 * where all is down already, or nothing is known.
 */
export function neededBy(context: ShootContext): Needed {
  const { seen, outage } = context;
  // Two paths know no lease; the first failure told how much time is left.
  if (context.paths !== undefined)
    return outage === null || !isAnythingDue(context, 'down') ? {} : { by: outage.firstMarkAt };
  if (seen === null || !isAnythingDue(context, 'down')) return {};
  const { grace } = leasePolicy(context);
  const excluded = new Set(seen.nonCandidates);
  let oldest = Infinity;
  for (const { node, renewedAt } of seen.leases)
    if (renewedAt !== null && renewedAt < oldest && !excluded.has(node)) oldest = renewedAt;
  return oldest === Infinity ? {} : { by: oldest + grace };
}
