import { crossingAfter, lookAhead } from '../domain/prober/probe-schedule.ts';
import { judgeLeases, isExpired, type Verdict } from '../domain/prober/verdict.ts';
import { leasesWithout, type NodeLease } from '../domain/prober/node-lease.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { isAnythingDue } from './shield.ts';
import { leasePolicy, mayBeDownByOthers, mayBeScaledDown, type Answered } from './shoot-context.ts';

/** How old nodes and Machines may be when something goes down by them (SPEC 5.4): a node that leaves takes longer to do so. */
const lookLasts: Millis = 10_000;

/** A thousand shoots that are cut off for hours would fill the lane of the scale-ups with lists of Machines, and what heals would wait behind them. */
const lookLastsInOutage: Millis = 60_000;

/** Leases of nodes that are gone stay for ever in some clusters, expired. Whether they still tell nothing is looked at so often (SPEC 5.4). */
const leftOutLasts: Millis = 600_000;

/** Whether nodes and Machines can change what follows from these leases, and are not known yet (SPEC 5.4). */
export function mustLook(context: Answered): boolean {
  const expired = hasExpired(context);
  // The shoot may hibernate unseen: its Cluster is asked for together with nodes and Machines (SPEC 3.5).
  if (!context.clusterLive) return expired || mayBeScaledDown(context);
  if (!expired) return (mayBeDownByOthers(context) && !sawTooFew(context)) || mustLookAhead(context);
  const age = context.seen.askedAt - (context.seen.lookedAt ?? -Infinity);
  // Only the nodes tell whether it is over that leases are not renewed (SPEC 5.5).
  if (age <= lookLasts) return context.said.notRenewed;
  // In an outage nodes and Machines stand still. All is down already, and it stays so.
  return (
    age >= Math.max(context.config.probeInterval, lookLastsInOutage) ||
    isAnythingDue(context, 'down') ||
    judgeUnlooked(context).kind !== 'cutOff'
  );
}

/**
 * The threshold may be met while a look of now still serves. When a whole seed is cut off, the looks then come over several seconds, and
 * not all in the one in which the leases expire: each crossing needs only its leases, and a decision.
 */
function mustLookAhead(context: Answered): boolean {
  const { askedAt, leases, nonCandidates, lookedAt } = context.seen;
  const crossing = crossingAfter(askedAt, leases, nonCandidates, leasePolicy(context));
  if (crossing === undefined || crossing - askedAt > lookAhead || !isAnythingDue(context, 'down')) return false;
  return lookedAt === null || crossing - lookedAt > lookLasts;
}

/** What the leases come to without a look. */
export function judgeUnlooked(context: Answered): Verdict {
  const { leases, askedAt, nonCandidates } = context.seen;
  const policy = leasePolicy(context);
  const isAnyExpired = leases.some((lease) => isExpired(lease, askedAt, policy.grace));
  const candidates = isAnyExpired ? leasesWithout(leases, nonCandidates) : leases;
  return judgeLeases(candidates, askedAt, policy);
}

/** A look tells nothing of a lease that came after it. */
export function lookThatCovers(
  leases: readonly NodeLease[],
  before: Readonly<{ leases: readonly NodeLease[]; lookedAt: Instant | null }> | null,
): Instant | null {
  if (before === null || before.lookedAt === null) return null;
  const covered = new Set(before.leases.map(({ node }) => node));
  return leases.every(({ node }) => covered.has(node)) ? before.lookedAt : null;
}

/** What was expired at the last look, and told nothing then, does not count: neither a lease that is new, nor one that expired since. */
function hasExpired(context: Answered): boolean {
  const { leases, askedAt, nonCandidates, lookedAt } = context.seen;
  const { grace } = leasePolicy(context);
  const isRecent = lookedAt !== null && askedAt - lookedAt < leftOutLasts;
  const leftOut = new Set(isRecent ? nonCandidates : []);
  return leases.some(
    (lease) => isExpired(lease, askedAt, grace) && !(leftOut.has(lease.node) && isExpired(lease, lookedAt ?? 0, grace)),
  );
}

/** The last look found too few candidates to raise what others took down (SPEC 5.3). A new node has a new lease, and is looked at at once; a known node that becomes a candidate is seen within a minute. */
function sawTooFew(context: Answered): boolean {
  const { askedAt, leases, nonCandidates, lookedAt } = context.seen;
  if (lookedAt === null || askedAt - lookedAt >= lookLastsInOutage) return false;
  return judgeLeases(leasesWithout(leases, nonCandidates), askedAt, leasePolicy(context)).kind === 'tooFew';
}
