import { clusterIn, type ClusterAnswer } from '../domain/prober/cluster-view.ts';
import { findCandidates, nodeConditionsOf, type NodeView } from '../domain/prober/candidates.ts';
import { computedOnce } from './chart-actions.ts';
import { conclude } from './conclusion.ts';
import { doubtLeases, doubtIn, lookAgain } from './lease-doubts.ts';
import { type NodeLease, clockDifference, leasesWithout, seeLeases } from '../domain/prober/node-lease.ts';
import { leasesAhead } from '../domain/prober/odd-leases.ts';
import { crossingAfter, probeForCrossing } from '../domain/prober/probe-schedule.ts';
import { warnEarly } from './early-warnings.ts';
import { placesOf } from '../domain/prober/partial-outage.ts';
import { readUnwatched } from './dependants.ts';
import { judgeLeases, type Verdict } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { judgeUnlooked, lookThatCovers } from './candidate-look.ts';
import { neededBy } from './probe-plan.ts';
import { isAnythingDue } from './shield.ts';
import {
  aimOf,
  andThen,
  leasePolicy,
  mustReadCluster,
  remember,
  type Answered,
  type AskedProbe,
  type Decision,
  type MachineEvent,
  type ShootContext,
} from './shoot-context.ts';
import type { ShootNote, ShootEventOf } from './shoot-language.ts';

/** An effect that has not answered so long after its deadline never will. The probe then counts as failed. */
const lostAfter: Millis = 1_000;

/** Undefined where none was asked. */
export function probeLostAt({ probe: { asked } }: ShootContext): Instant | undefined {
  return asked === null ? undefined : asked.deadlineAt + lostAfter;
}

type Answer = Readonly<{ number: number; at: Instant }>;

/**
 * Whether this is of the probe that is under way, and in its time. A process that stood still takes what came meanwhile before its timers fire: that
 * tells how the shoot was, and the probe is lost (SPEC 4.4).
 */
export function isCurrentProbe({ probe: { asked } }: ShootContext, { number, at }: Answer): boolean {
  return asked !== null && number === asked.number && at < asked.deadlineAt + lostAfter;
}

/** What a GET showed of the Cluster that this probe waits for; what the stream has told since it was asked for wins (SPEC 3.5). */
export function clusterGot(context: ShootContext, event: MachineEvent): ClusterAnswer | undefined {
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return undefined;
  return isCurrentProbe(context, event) && context.probe.asked?.cluster === 'asked' ? event.cluster : undefined;
}

/** Asks for the leases, and for every dependant whose watch tells nothing (SPEC 4.3, 6.6). */
export function askLeases(context: ShootContext, at: Instant): Decision {
  const { context: next, asked } = beginProbe(context, at, context.config.probeTimeout);
  const params = { number: asked.number, deadlineAt: asked.deadlineAt, ...neededBy(context) };
  return andThen(remember(next, [{ type: 'probe', params }]), (begun) => readUnwatched(begun, at));
}

/** The probe that is under way from now on. */
export function beginProbe(
  context: ShootContext,
  at: Instant,
  patience: Millis,
): Readonly<{ context: ShootContext; asked: AskedProbe }> {
  const number = context.numbered + 1;
  const asked: AskedProbe = { number, askedAt: at, deadlineAt: at + patience };
  return { context: { ...context, numbered: number, probe: { ...context.probe, asked } }, asked };
}

export function askCandidates(context: ShootContext, event: ProbeAnswered): Decision {
  const answered = recordAnswer(context, event);
  const { asked, ...probe } = answered.probe;
  const { number, deadlineAt } = asked;
  const cluster = mustReadCluster(context);
  const urgent = isAnythingDue(context, 'down');
  const params = { number, deadlineAt, cluster, urgent, ...neededBy(answered) };
  const looking = { ...probe, asked: cluster ? ({ ...asked, cluster: 'asked' } as const) : asked };
  return { context: { ...answered, probe: looking }, commands: [{ type: 'listCandidates', params }] };
}

const unseen = {
  nonCandidates: [],
  places: [],
  counted: null,
  calmSince: null,
  connectedSince: null,
  doubtedUntil: null,
};

type ProbeAnswered = ShootEventOf<'probe.answered'>;

/** The leases on our clock (SPEC 5.1). The chart asks before it decides. */
export const recordAnswer = computedOnce((context: ShootContext, event: ProbeAnswered) => {
  const { at, number, askedAt, leases, served, leftOut = 0 } = event;
  const { probe } = context;
  const clockAhead = clockDifference(served);
  const onOurClock = seeLeases(leases, { at, clockAhead }, context.seen);
  return {
    ...context,
    probe: {
      ...probe,
      asked: { number, askedAt, deadlineAt: probe.asked?.deadlineAt ?? askedAt },
      silence: probe.silence && { ...probe.silence, overAt: probe.silence.overAt ?? at },
    },
    seen: {
      ...(context.seen ?? unseen),
      askedAt,
      leases: onOurClock,
      clockAhead,
      lookedAt: lookThatCovers(leases, context.seen),
      ahead: leasesAhead(onOurClock, at + clockAhead),
      leftOut,
    },
  };
});

/** Nodes and Machines are known, or could not change the outcome (SPEC 5.4). */
export function judgeLeasesAlone(context: ShootContext, event: ProbeAnswered): Decision {
  const now = recordAnswer(context, event);
  return concludeLeases(now, event.at, judgeUnlooked(now), { clusterRead: false });
}

/** The leases are judged as of the instant when they were asked for: a slow look must not make them expire (SPEC 5.1). */
export function judgeCandidates(context: ShootContext, event: ShootEventOf<'candidates.answered'>): Decision {
  const { seen } = context;
  if (seen === null) throw new Error('candidates were looked for before any lease was seen');
  const got = clusterGot(context, event);
  const cluster = clusterIn(got) ?? context.cluster;
  const { leases, askedAt } = seen;
  const candidates = findCandidates(leases, {
    nodes: event.nodes,
    machines: event.machines,
    unhealthyConditions: nodeConditionsOf(cluster?.workers ?? []),
  });
  const now = {
    ...context,
    cluster,
    seen: { ...seen, nonCandidates: namesWithout(leases, candidates), lookedAt: askedAt },
  };
  const verdict = judgeLeases(candidates, askedAt, leasePolicy(now));
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
  const doubted = doubtLeases(context, at, verdict, nodes ?? []);
  const { seen, said } = doubted.context;
  const policy = leasePolicy(context);
  const crossesAt = crossingAfter(askedAt, seen.leases, seen.nonCandidates, policy);
  // In an outage nothing is left to look at before.
  const looksAhead = crossesAt !== undefined && isAnythingDue(context, 'down');
  const crossing = looksAhead ? probeForCrossing(askedAt, crossesAt, policy) : crossesAt;

  const { kind, expired, candidates } = verdict;
  const { clockAhead, ahead, leftOut } = seen;
  const told: ShootNote = {
    kind: 'verdict',
    verdict: kind,
    expired,
    candidates,
    looked: nodes !== undefined,
    ...(verdict.kind === 'cutOff' ? { crossedAt: verdict.crossedAt } : {}),
    ...(clockAhead === 0 ? {} : { clockAhead }),
    ...(ahead.count === 0 ? {} : { ahead: ahead.count }),
    ...(doubted.notRenewed === 0 ? {} : { notRenewed: doubted.notRenewed }),
  };
  const first: ShootNote[] = [told];
  if (clockAhead !== 0 && !context.said.clockDiffers) first.push({ kind: 'clockDiffers', ahead: clockAhead });
  const warned = warnEarly(
    { ...context, seen },
    { verdict, candidates: leasesWithout(seen.leases, seen.nonCandidates), crossesAt },
  );
  if (leftOut > 0 && !context.said.leftOut) first.push({ kind: 'leasesLeftOut', leases: leftOut });
  return conclude(
    {
      ...context,
      seen: { ...seen, counted: { expired, candidates }, connectedSince: warned.connectedSince },
      said: {
        ...said,
        clockDiffers: clockAhead !== 0,
        leftOut: leftOut > 0,
        partial: warned.partial,
        late: warned.late,
      },
    },
    at,
    {
      verdict,
      aim: aimOf(verdict, clusterRead),
      isFirst: context.seen.counted === null,
      crossing,
      notes: { first, last: [...doubted.notes, ...warned.notes] },
    },
  );
}

function namesWithout(leases: readonly NodeLease[], candidates: readonly NodeLease[]): readonly string[] {
  const telling = new Set(candidates);
  return leases.filter((lease) => !telling.has(lease)).map(({ node }) => node);
}
