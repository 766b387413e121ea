import { planProbe } from '../domain/prober/probe-schedule.ts';
import { perhapsUntil, wasLong } from '../domain/prober/silence.ts';
import { leasesWithout, renewedWithin } from '../domain/prober/node-lease.ts';
import { isExpired, type Verdict } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { crossingOf, missingLeases } from './candidate-look.ts';
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

/** What stands in the way of a verdict: leases that are old only perhaps could change it, and with it what follows (SPEC 5.1). */
export function doubtIn(context: Answered, { kind }: Verdict): Doubt | undefined {
  if (kind === 'tooFew' || kind === 'unjudged') return undefined;
  const { leases, askedAt, nonCandidates } = context.seen;
  const { grace, failureFraction } = leasePolicy(context);
  const { silence } = context.probe;
  const ends: Instant[] = [];
  let [old, readable] = [0, 0];
  // A verdict without a look may be over leases that do not count. What is in doubt is a share of those that do.
  for (const lease of leasesWithout(leases, nonCandidates)) {
    if (lease.renewedAt !== null) readable += 1;
    const endsAt = perhapsUntil(lease, { askedAt, grace, silence });
    if (endsAt !== undefined) ends.push(endsAt);
    else if (isExpired(lease, askedAt, grace)) old += 1;
  }
  const missing = missingLeases(context.seen);
  const isMet = (count: number): boolean => readable >= 2 && count / (readable + missing) >= failureFraction;
  if (isMet(old) || !isMet(old + ends.length + missing)) return undefined;
  // Nothing is down that could go up by it, and it ends no count.
  if (kind === 'connected' && context.streak.of === 'connected' && !mayBeScaledDown(context)) return undefined;
  const doubt = { leases: ends.length, until: Math.min(...ends) };
  // Said of a silence that is over just now.
  const isJust = wasLong(silence) && askedAt < silence.overAt + renewedWithin;
  return isJust ? { ...doubt, silentFor: silence.overAt - (silence.since ?? silence.from) } : doubt;
}

/** Nothing follows, neither down nor up, and all counts stay: the next probe decides, once kubelets that live have renewed. */
export function lookAgain(context: Answered, at: Instant, doubt: Doubt): Decision {
  const { probe, seen } = context;
  const { askedAt } = seen;
  const crossing = crossingOf(context, askedAt);
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
 * A kubelet whose clock is ahead by a few seconds is caught only by a probe that comes just after a renewal, and one of several API servers by a probe that
 * it answers. Without this time the same clock would be said again every few minutes.
 */
const clockIsWellAfter: Millis = 600_000;

/** Remembers which clocks are wrong, and says once that leases are ahead of the time (SPEC 5.1), or are not renewed though their nodes are Ready (SPEC 5.5), and once that it is over. It changes no verdict. `nodes`: null where no look was made. */
export function doubtLeases(
  context: Answered,
  at: Instant,
  verdict: Verdict,
  nodes: readonly NodeView[] | null,
): Pick<Answered, 'seen' | 'said'> & Readonly<{ notes: readonly ShootNote[] }> {
  const { seen, said } = context;
  const { askedAt, ahead, clockAhead } = seen;
  const { grace } = leasePolicy(context);
  const isOver = (saidAt: Instant): boolean => at - saidAt >= clockIsWellAfter;
  const notes: ShootNote[] = [];
  let { clockDiffers, aheadAt, notRenewed } = said;

  if (clockAhead !== 0) clockDiffers = { by: clockAhead, at };
  else if (clockDiffers !== null && isOver(clockDiffers.at)) clockDiffers = null;

  if (ahead.count > 0) {
    if (aheadAt === null) notes.push({ kind: 'leasesAhead', leases: ahead });
    aheadAt = at;
  } else if (aheadAt !== null && isOver(aheadAt)) {
    notes.push({ kind: 'leasesAheadOver' });
    aheadAt = null;
  }

  // In an outage nobody renews, and the nodes stay Ready for as long as the kube-controller-manager is down or new.
  const isCalm = verdict.kind !== 'cutOff' && !mayBeScaledDown(context);
  const calmSince = isCalm ? (seen.calmSince ?? askedAt) : null;
  if (verdict.kind !== 'cutOff') {
    const leases = unrenewedLeases(seen.leases, nodes, { askedAt, grace });
    // Only a look shows which of them are of Ready nodes.
    const count = nodes === null ? Math.min(notRenewed, leases.count) : leases.count;
    if (notRenewed > 0 && count === 0) notes.push({ kind: 'leasesNotRenewedOver' });
    const isNew = notRenewed === 0 && count > 0 && hasSettled(calmSince, askedAt, grace);
    if (isNew) notes.push({ kind: 'leasesNotRenewed', leases });
    if (isNew || notRenewed > 0) notRenewed = count;
  }
  return { seen: { ...seen, calmSince }, said: { ...said, clockDiffers, aheadAt, notRenewed }, notes };
}
