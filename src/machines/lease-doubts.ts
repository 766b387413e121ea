import { crossingAfter, planProbe } from '../domain/prober/probe-schedule.ts';
import { leaseDoubts, servedMeanwhile } from '../domain/prober/silence.ts';
import { leasesWithout } from '../domain/prober/node-lease.ts';
import { judgeLeases, type Verdict } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { missingLeases } from './candidate-look.ts';
import { hurried, planned } from './probe-plan.ts';
import type { ShootNote } from './shoot-language.ts';
import {
  andThen,
  isDownByUs,
  leasePolicy,
  note,
  remember,
  type Answered,
  type Decision,
  mayBeScaledDown,
} from './shoot-context.ts';
import type { NodeView } from '../domain/prober/candidates.ts';
import { hasSettled, unrenewedLeases } from '../domain/prober/odd-leases.ts';

type Doubt = Omit<Extract<ShootNote, { kind: 'leasesInDoubt' }>, 'kind'>;

/** What stands in the way of a verdict that leads down by leases which are in doubt alone (SPEC 5.1). */
export function doubtIn(context: Answered, verdict: Verdict): Doubt | undefined {
  if (verdict.kind !== 'cutOff') return undefined;
  const { leases, askedAt, nonCandidates } = context.seen;
  const policy = leasePolicy(context);
  const { silence } = context.probe;
  const doubtEndsAt = leaseDoubts(leases, { askedAt, grace: policy.grace, silence });
  const ends: Instant[] = [];
  const sure = leasesWithout(leases, nonCandidates).map((lease) => {
    const endsAt = doubtEndsAt(lease);
    if (endsAt === undefined) return lease;
    ends.push(endsAt);
    return { ...lease, renewedAt: null };
  });
  const missing = missingLeases(context.seen);
  if (ends.length === 0 || judgeLeases(sure, askedAt, policy, missing).kind === 'cutOff') return undefined;
  const silentFor =
    silence === null || servedMeanwhile(silence, leases) === undefined ? undefined : silence.until - silence.since;
  return { leases: ends.length, until: Math.min(...ends), ...(silentFor === undefined ? {} : { silentFor }) };
}

/** Nothing follows, neither down nor up, and all counts stay: the next probe decides, once kubelets that live have renewed. */
export function lookAgain(context: Answered, at: Instant, doubt: Doubt): Decision {
  const { probe, seen } = context;
  const { askedAt, leases, nonCandidates } = seen;
  const crossing = crossingAfter(askedAt, leases, nonCandidates, leasePolicy(context));
  const plan = planProbe(probe.early, { at, askedAt, dueAt: doubt.until, crossing });
  const answered = {
    ...context,
    probe: { ...probe, failuresInRow: 0 },
    seen: { ...seen, doubtedUntil: doubt.until },
  };
  return andThen(remember(answered, [note({ kind: 'leasesInDoubt', ...doubt })]), (one) =>
    hurried(planned(one, plan), at, isDownByUs(one)),
  );
}

/**
 * A kubelet whose clock is ahead by a few seconds is caught only by a probe that comes just after a renewal. Without this time the
 * same kubelet would be said again every few minutes.
 */
const aheadIsOverAfter: Millis = 600_000;

/** Says once that leases are ahead of the time (SPEC 5.1), or are not renewed though their nodes are Ready (SPEC 5.5), and once that it is over. It changes no verdict. `notRenewed`: how many nobody renews. */
export function doubtLeases(context: Answered, at: Instant, verdict: Verdict, nodes: readonly NodeView[]) {
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
