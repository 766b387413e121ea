import { clusterIn } from '../domain/prober/cluster-view.ts';
import { leasesByLook, lookOf, untoldNodes, type NodeView } from '../domain/prober/candidates.ts';
import { drawChance } from '../domain/backoff.ts';
import { computedOnce } from './chart-actions.ts';
import { aimOf, conclude } from './conclusion.ts';
import { doubtLeases, doubtIn, lookAgain } from './lease-doubts.ts';
import {
  type SeenLease,
  clockDifference,
  leasesWithout,
  seeLeases,
  stillDifferent,
} from '../domain/prober/node-lease.ts';
import { silenceBefore, usualWait } from '../domain/prober/silence.ts';
import { leasesAhead } from '../domain/prober/odd-leases.ts';
import { probeForCrossing } from '../domain/prober/probe-schedule.ts';
import { tellBlind, warnEarly } from './early-warnings.ts';
import { placesOf } from '../domain/prober/partial-outage.ts';
import { readUnwatched } from './dependants.ts';
import { isBlind, judgeLeases, noneCounts, type Verdict } from '../domain/prober/verdict.ts';
import type { Instant } from '../domain/time.ts';
import {
  calmLookEvery,
  calmLookUntil,
  crossingOf,
  firstCalmLook,
  judgeUncounted,
  judgeWithoutLook,
  lookThatCovers,
  missingLeases,
  mustLook,
  mustReadCluster,
} from './candidate-look.ts';
import { neededBy } from './probe-plan.ts';
import { beginProbe, clusterGot } from './probe-under-way.ts';
import { isAnythingDue } from './shield.ts';
import { andThen, leasePolicy, remember, type Answered, type Decision, type ShootContext } from './shoot-context.ts';
import type { ShootNote, ShootEventOf } from './shoot-language.ts';

/** Asks for the leases, and for every dependant whose watch tells nothing (SPEC 4.3, 6.6). */
export function askLeases(context: ShootContext, at: Instant): Decision {
  const { context: next, asked } = beginProbe(context, at, context.config.probeTimeout);
  const params = { number: asked.number, deadlineAt: asked.deadlineAt, ...neededBy(context) };
  return andThen(remember(next, [{ type: 'probe', params }]), (begun) => readUnwatched(begun, at));
}

export function askCandidates(context: ShootContext, event: ProbeAnswered): Decision {
  const answered = recordAnswer(context, event);
  const { number, askedAt, deadlineAt: before } = answered.probe.asked;
  const isCalm = !mustLook(answered);
  const deadlineAt = Math.min(before, isCalm ? (calmLookUntil(answered) ?? before) : before);
  const cluster = mustReadCluster(context);
  const asked = { number, askedAt, deadlineAt, ...(cluster ? ({ cluster: 'asked' } as const) : {}) };
  const hurry = isCalm ? { urgent: false } : { urgent: isAnythingDue(context, 'down'), ...neededBy(answered) };
  const looking = {
    ...answered,
    probe: { ...answered.probe, asked },
    seen: { ...answered.seen, calmLookAt: event.at + firstCalmLook },
  };
  return remember(looking, [{ type: 'listCandidates', params: { number, deadlineAt, cluster, ...hurry } }]);
}

const unseen = {
  nonCandidates: [],
  places: [],
  looked: null,
  unjudgedSince: null,
  counted: null,
  calmSince: null,
  connectedSince: null,
  doubtedUntil: null,
};

type ProbeAnswered = ShootEventOf<'probe.answered'>;

/** The leases on our clock (SPEC 5.1). The chart asks before it decides. */
export const recordAnswer = computedOnce((context: ShootContext, event: ProbeAnswered) => {
  const { at, number, askedAt, leases, served, leftOut = 0, clockSet = 0, serverIsNew = false } = event;
  const { probe, seen } = context;
  const clockAhead = clockDifference(served, context.said.clockDiffers === null ? undefined : stillDifferent);
  const before = seen?.clockSet === clockSet ? seen : null;
  const onOurClock = seeLeases(leases, event, before);
  const waited = at - (served?.receivedAt ?? at);
  return {
    ...context,
    probe: {
      ...probe,
      asked: { number, askedAt, deadlineAt: probe.asked?.deadlineAt ?? askedAt },
      silence: silenceBefore(probe.silence, { askedAt, at, serverIsNew }, waited, before),
    },
    seen: {
      ...(seen ?? { ...unseen, calmLookAt: at + firstCalmLook * drawChance(context.chance).value }),
      askedAt,
      waited: usualWait(waited, before),
      leases: onOurClock,
      clockAhead,
      clockSet,
      lookedAt: lookThatCovers(leases, seen),
      // On whichever clock is later.
      ahead: leasesAhead(onOurClock, at + Math.max(0, clockAhead)),
      leftOut,
    },
  };
});

/** Nodes and Machines are known, or could not change the outcome (SPEC 5.4). */
export function judgeLeasesAlone(context: ShootContext, event: ProbeAnswered): Decision {
  const now = recordAnswer(context, event);
  return concludeLeases(now, event.at, judgeWithoutLook(now), { clusterRead: false });
}

/** The leases are judged as of the instant when they were asked for: a slow look must not make them expire (SPEC 5.1). */
export function judgeCandidates(context: ShootContext, event: ShootEventOf<'candidates.answered'>): Decision {
  const { seen } = context;
  if (seen === null) throw new Error('candidates were looked for before any lease was seen');
  const got = clusterGot(context, event);
  const cluster = clusterIn(got) ?? context.cluster;
  const { leases, askedAt } = seen;
  const { nodes, at } = event;
  const look = lookOf(event, { ...context, cluster });
  const { candidates, leftOut, counting } = leasesByLook(leases, look);
  const looked = { nodes: nodes.length, counting };
  const policy = leasePolicy({ ...context, cluster });
  const untold = isBlind(looked, candidates, policy) ? untoldNodes(leases, look) : [];
  const now = {
    ...context,
    cluster,
    seen: {
      ...seen,
      nonCandidates: leftOut.map(({ node }) => node),
      lookedAt: askedAt,
      looked: { ...looked, untold },
      calmLookAt: at + calmLookEvery,
    },
  };
  const verdict = noneCounts(looked)
    ? judgeUncounted(now, leasesOf(nodes, leases), nodes.length)
    : judgeLeases(candidates, askedAt, policy, missingLeases(now.seen));
  const places = verdict.expired === 0 ? [] : placesOf(event.nodes, candidates);
  return concludeLeases({ ...now, seen: { ...now.seen, places } }, event.at, verdict, {
    nodes: event.nodes,
    clusterRead: got?.outcome === 'read',
  });
}

/** Says the verdict, and hands over to what is the same for leases and paths. */
function concludeLeases(
  context: Answered,
  at: Instant,
  verdict: Verdict,
  { nodes, clusterRead }: Readonly<{ nodes?: readonly NodeView[]; clusterRead: boolean }>,
): Decision {
  const askedAt = context.probe.asked?.askedAt ?? at;
  const doubt = doubtIn(context, verdict);
  if (doubt !== undefined) return lookAgain(context, at, doubt);
  const doubted = doubtLeases(context, at, verdict, nodes ?? null);
  const { seen, said } = doubted;
  const policy = leasePolicy(context);
  const crossesAt = crossingOf({ ...context, seen }, askedAt);
  // In an outage nothing is left to look at before.
  const looksAhead = crossesAt !== undefined && isAnythingDue(context, 'down');
  const crossing = looksAhead ? probeForCrossing(askedAt, crossesAt, policy) : crossesAt;

  const { kind, expired, candidates } = verdict;
  const { ahead, leftOut } = seen;
  const { clockDiffers, notRenewed } = said;
  const told: ShootNote = {
    kind: 'verdict',
    verdict: kind,
    expired,
    candidates,
    looked: nodes !== undefined,
    ...(verdict.kind === 'cutOff' ? { crossedAt: verdict.crossedAt } : {}),
    ...(clockDiffers === null ? {} : { clockAhead: clockDiffers.by }),
    ...(ahead.count === 0 ? {} : { ahead: ahead.count }),
    ...(kind === 'cutOff' || notRenewed === 0 ? {} : { notRenewed }),
  };
  const first: ShootNote[] = [told];
  if (clockDiffers !== null && context.said.clockDiffers === null)
    first.push({ kind: 'clockDiffers', ahead: clockDiffers.by });
  const blind = tellBlind(context, verdict);
  const warned = warnEarly(
    { ...context, seen },
    { verdict, candidates: leasesWithout(seen.leases, seen.nonCandidates), crossesAt },
  );
  if (leftOut > 0 && !context.said.leftOut) first.push({ kind: 'leasesLeftOut', leases: leftOut });
  return conclude(
    {
      ...context,
      seen: {
        ...seen,
        counted: aimOf(verdict, clusterRead) === null && seen.counted !== null ? seen.counted : { expired, candidates },
        connectedSince: warned.connectedSince,
        unjudgedSince: blind.since,
      },
      said: {
        ...said,
        leftOut: leftOut > 0,
        partial: warned.partial,
        late: warned.late,
        unjudged: blind.said,
      },
    },
    at,
    {
      verdict,
      clusterRead,
      isFirst: context.seen.counted === null,
      crossing,
      notes: { first, last: [...doubted.notes, ...warned.notes, ...blind.notes] },
    },
  );
}

function leasesOf(nodes: readonly NodeView[], leases: readonly SeenLease[]): readonly SeenLease[] {
  const named = new Set(nodes.map(({ name }) => name));
  return leases.filter(({ node }) => named.has(node));
}
