import type { NodeView } from '../domain/prober/candidates.ts';
import { hasSettled, unrenewedLeases } from '../domain/prober/odd-leases.ts';
import type { Verdict } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { leasePolicy, mayBeScaledDown, type Answered, type Seen, type ShootContext } from './shoot-context.ts';
import type { ShootNote } from './shoot-language.ts';

/**
 * A kubelet whose clock is ahead by a few seconds is caught only by a probe that comes just after a renewal. Without this time the
 * same kubelet would be said again every few minutes.
 */
const aheadIsOverAfter: Millis = 600_000;

/** What is remembered of doubtful leases, what is to be said of them, and how many nobody renews. */
type Doubted = Readonly<{
  context: Readonly<{ seen: Seen; said: ShootContext['said'] }>;
  notes: readonly ShootNote[];
  notRenewed: number;
}>;

/** Says once that leases are ahead of the time (SPEC 5.1), or are not renewed though their nodes are Ready (SPEC 5.5), and once that it is over. It changes no verdict. */
export function doubtLeases(context: Answered, at: Instant, verdict: Verdict, nodes: readonly NodeView[]): Doubted {
  const { seen, said } = context;
  const { askedAt, ahead } = seen;
  const { grace } = leasePolicy(context);
  const notes: ShootNote[] = [];

  let { aheadAt, notRenewed } = said;
  if (ahead.count > 0) {
    if (aheadAt === null) notes.push({ kind: 'leasesAhead', leases: ahead });
    aheadAt = at;
  } else if (aheadAt !== null && at - aheadAt >= aheadIsOverAfter) {
    notes.push({ kind: 'leasesAheadOver' });
    aheadAt = null;
  }

  // In an outage nobody renews, and the nodes stay Ready for as long as the kube-controller-manager is down or new.
  if (verdict.kind === 'cutOff')
    return { context: { seen: { ...seen, calmSince: null }, said: { ...said, aheadAt } }, notes, notRenewed: 0 };
  const calmSince = mayBeScaledDown(context) ? null : (seen.calmSince ?? askedAt);
  const leases = unrenewedLeases(seen.leases, nodes, { askedAt, grace });
  if (notRenewed && leases.count === 0) {
    notes.push({ kind: 'leasesNotRenewedOver' });
    notRenewed = false;
  } else if (!notRenewed && leases.count > 0 && hasSettled(calmSince, askedAt, grace)) {
    notes.push({ kind: 'leasesNotRenewed', leases });
    notRenewed = true;
  }
  return {
    context: { seen: { ...seen, calmSince }, said: { ...said, aheadAt, notRenewed } },
    notes,
    notRenewed: notRenewed ? leases.count : 0,
  };
}
