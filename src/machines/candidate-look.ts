import { crossingAfter, lookAhead } from '../domain/prober/probe-schedule.ts';
import { isBlind, isExpired, judgeLeases, noneCounts, type Verdict } from '../domain/prober/verdict.ts';
import { leasesWithout, type NodeLease, type SeenLease } from '../domain/prober/node-lease.ts';
import { perhapsUntil } from '../domain/prober/silence.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { isAnythingDue } from './shield.ts';
import { leasePolicy, mayBeScaledDown, type Answered, type ShootContext } from './shoot-context.ts';

/** How old nodes and Machines may be when something goes down by them (SPEC 5.4): a node that leaves takes longer to do so. */
const lookLasts: Millis = 10_000;

/** A thousand shoots that are cut off for hours would fill the lane of the scale-ups with lists of Machines, and what heals would wait behind them. */
const lookLastsInOutage: Millis = 60_000;

/** Leases of nodes that are gone stay for ever in some clusters, expired. Whether they still tell nothing is looked at so often (SPEC 5.4). */
const leftOutLasts: Millis = 600_000;

/** Whether nodes and Machines are asked for now (SPEC 5.4, 5.8). */
export function looks(context: Answered): boolean {
  return mustLook(context) || calmLookUntil(context) !== undefined;
}

/** Whether nodes and Machines can change what follows from these leases, and are not known yet (SPEC 5.4). */
export function mustLook(context: Answered): boolean {
  const expired = hasExpired(context);
  // The shoot may hibernate unseen: its Cluster is asked for together with nodes and Machines (SPEC 3.5).
  if (!context.clusterLive) return expired || mayBeScaledDown(context);
  if (!expired)
    return (mayBeDownByOthers(context) && !sawTooFew(context)) || mustLookAhead(context) || mustLookForNodes(context);
  const age = context.seen.askedAt - (context.seen.lookedAt ?? -Infinity);
  // Only the nodes tell whether it is over that leases are not renewed (SPEC 5.5).
  if (age <= lookLasts) return context.said.notRenewed > 0;
  // In an outage nodes and Machines stand still. All is down already, and it stays so.
  return (
    age >= Math.max(context.config.probeInterval, lookLastsInOutage) ||
    isAnythingDue(context, 'down') ||
    !isToldAlready(context)
  );
}

/** As the last look left it: cut off, or nobody can tell. */
function isToldAlready(context: Answered): boolean {
  const { kind } = judgeWithoutLook(context);
  return kind === 'cutOff' || (kind === 'unjudged' && context.seen.unjudgedSince !== null);
}

/** Where leases are missing, or none counts, the nodes tell what that means (SPEC 5.8, 5.9). Nothing goes up before some look has shown them. */
function mustLookForNodes(context: Answered): boolean {
  const { looked, lookedAt, askedAt, unjudgedSince } = context.seen;
  if (looked === null) return mayBeScaledDown(context);
  if (!cannotTell(context, judgeWithoutLook(context))) return false;
  const lasts = mayBeScaledDown(context) ? lookLastsInOutage : leftOutLasts;
  return unjudgedSince === null || askedAt - (lookedAt ?? -Infinity) >= lasts;
}

/** In calm nobody would find out before the next outage that it cannot be judged: a look an hour (SPEC 5.8). */
export const calmLookEvery: Millis = 3_600_000;
/** The first look in calm comes within so long after the first probe, by chance: a thousand shoots must not ask at once. One that failed comes again after as long. */
export const firstCalmLook: Millis = 600_000;
/** One that has less time would only fail. */
const leastCalmLook: Millis = 5_000;

/**
 * Until when a look in calm may take, where one is due: it must leave the time for one that matters. Undefined where none is due, and where
 * the seed has trouble or something is down.
 */
export function calmLookUntil(context: Answered): Instant | undefined {
  const { askedAt, calmLookAt } = context.seen;
  if (askedAt < calmLookAt || !context.clusterLive || mayBeScaledDown(context)) return undefined;
  const crossing = crossingOf(context, askedAt) ?? Infinity;
  return crossing - askedAt >= lookAhead + leastCalmLook ? crossing - lookAhead : undefined;
}

/**
 * The threshold may be met while a look of now still serves. When a whole seed is cut off, the looks then come over several seconds, and
 * not all in the one in which the leases expire: each crossing needs only its leases, and a decision.
 */
function mustLookAhead(context: Answered): boolean {
  const { askedAt, lookedAt } = context.seen;
  const crossing = crossingOf(context, askedAt);
  if (crossing === undefined || crossing - askedAt > lookAhead || !isAnythingDue(context, 'down')) return false;
  return lookedAt === null || crossing - lookedAt > lookLasts;
}

/** What the leases come to without a look. */
export function judgeWithoutLook(context: Answered): Verdict {
  const { leases, askedAt, nonCandidates, looked } = context.seen;
  const policy = leasePolicy(context);
  const isAnyExpired = leases.some((lease) => isExpired(lease, askedAt, policy.grace));
  const missing = missingLeases(context.seen);
  // Any of them may be of a node by now.
  if (looked !== null && noneCounts(looked)) return judgeUncounted(context, leases, leases.length);
  const candidates = isAnyExpired || missing > 0 ? leasesWithout(leases, nonCandidates) : leases;
  return judgeLeases(candidates, askedAt, policy, missing);
}

/** Nobody can tell, or nobody could if the shoot were cut off (SPEC 5.8, 5.9). */
export function cannotTell(context: Answered, verdict: Verdict): boolean {
  const { looked, leases, nonCandidates } = context.seen;
  if (verdict.kind === 'unjudged') return true;
  return looked !== null && isBlind(looked, leasesWithout(leases, nonCandidates), leasePolicy(context));
}

/** How many nodes that count have no lease, as far as the last look tells. */
export function missingLeases({ leases, nonCandidates, looked }: Answered['seen']): number {
  return Math.max(0, (looked?.counting ?? 0) - leasesWithout(leases, nonCandidates).length);
}

/** When the leases seen last could meet the threshold, after `since` (SPEC 4.6). */
export function crossingOf(context: ShootContext, since: Instant): Instant | undefined {
  const { seen } = context;
  if (seen === null) return undefined;
  return crossingAfter(since, { ...seen, missing: missingLeases(seen) }, leasePolicy(context));
}

/** None of the leases counts. Those of all nodes that exist still tell whether what is ours may go up (SPEC 5.8). */
export function judgeUncounted(context: Answered, leases: readonly SeenLease[], nodes: number): Verdict {
  const { askedAt } = context.seen;
  const policy = leasePolicy(context);
  const asked = { askedAt, grace: policy.grace, silence: context.probe.silence };
  // What is only perhaps fresh must not raise anything in the middle of an outage (SPEC 5.1).
  const atWorst = leases.map((lease) =>
    perhapsUntil(lease, asked) === undefined ? lease : { ...lease, renewedAt: -Infinity },
  );
  const reached = judgeLeases(atWorst, askedAt, policy, nodes - leases.length).kind === 'connected';
  return { kind: 'unjudged', expired: 0, candidates: 0, reached: reached && nodes > 0 };
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

/** By the last look nobody can tell, or too few, and what others took down stays as it is (SPEC 5.3, 5.8, 5.9). A new node has a new lease, and is looked at at once; a known node that becomes a candidate is seen within a minute. */
function sawTooFew(context: Answered): boolean {
  const { askedAt, leases, nonCandidates, lookedAt, looked } = context.seen;
  if (lookedAt === null || askedAt - lookedAt >= lookLastsInOutage) return false;
  if (looked !== null && noneCounts(looked)) return true;
  const candidates = leasesWithout(leases, nonCandidates);
  const { kind } = judgeLeases(candidates, askedAt, leasePolicy(context), missingLeases(context.seen));
  return kind === 'tooFew' || kind === 'unjudged';
}

/** What stands at 0 without our mark goes up only where the candidates tell that the shoot is connected, and a GET that it is awake (SPEC 5.3, 3.5). What we may not read never counts. */
function mayBeDownByOthers({ known }: ShootContext): boolean {
  return Object.values(known).some(({ view, refusal }) =>
    view === null ? refusal === null : view.found && !view.ignored && view.replicas === 0 && !view.marked,
  );
}

/** What follows may be a scaling by a Cluster that has changed unseen: it is read first (SPEC 3.5). */
export function mustReadCluster(context: ShootContext): boolean {
  return !context.clusterLive || mayBeDownByOthers(context);
}
