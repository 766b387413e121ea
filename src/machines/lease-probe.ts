import { clusterIn } from '../domain/prober/cluster-view.ts';
import { findCandidates, nodeConditionsOf, type NodeView } from '../domain/prober/candidates.ts';
import { computedOnce } from './chart-actions.ts';
import { conclude } from './conclusion.ts';
import { doubtLeases, doubtIn, lookAgain } from './lease-doubts.ts';
import {
  type NodeLease,
  clockDifference,
  leasesWithout,
  seeLeases,
  stillDifferent,
} from '../domain/prober/node-lease.ts';
import { answered, silenceBefore } from '../domain/prober/silence.ts';
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
  remember,
  type Answered,
  type AskedProbe,
  type Decision,
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

/** While the stream of Clusters is out, the Cluster is asked for as well: what follows may be a scaling (SPEC 3.5). */
export function askCandidates(context: ShootContext, event: ProbeAnswered): Decision {
  const { number } = event;
  const deadlineAt = context.probe.asked?.deadlineAt ?? event.at;
  const asked = recordAnswer(context, event);
  const urgent = isAnythingDue(context, 'down');
  const params = { number, deadlineAt, cluster: !context.clusterLive, urgent, ...neededBy(asked) };
  return { context: asked, commands: [{ type: 'listCandidates', params }] };
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
export const recordAnswer = computedOnce((context: ShootContext, event: ProbeAnswered): Answered => {
  const { at, number, askedAt, leases, served, leftOut = 0, clockSet = 0 } = event;
  const { probe, seen } = context;
  const clockAhead = clockDifference(served, context.said.clockDiffers === null ? undefined : stillDifferent);
  const onOurClock = seeLeases(leases, event, seen?.clockSet === clockSet ? seen : null);
  const ended = probe.silence && answered(probe.silence, at);
  return {
    ...context,
    probe: {
      ...probe,
      asked: { number, askedAt, deadlineAt: probe.asked?.deadlineAt ?? askedAt },
      silence: silenceBefore({ askedAt, at }, served?.receivedAt, onOurClock.wentBack) ?? ended,
    },
    seen: {
      ...(seen ?? unseen),
      askedAt,
      leases: onOurClock.leases,
      clockAhead,
      clockSet,
      lookedAt: lookThatCovers(leases, seen),
      // On whichever clock is later.
      ahead: leasesAhead(onOurClock.leases, at + Math.max(0, clockAhead)),
      leftOut,
    },
  };
});

/** Nodes and Machines are known, or could not change the outcome (SPEC 5.4). */
export function judgeLeasesAlone(context: ShootContext, event: ProbeAnswered): Decision {
  const now = recordAnswer(context, event);
  const { verdict, known } = judgeUnlooked(now);
  return concludeLeases(now, event.at, verdict, { clusterKnown: known && now.clusterLive });
}

/** The leases are judged as of the instant when they were asked for: a slow look must not make them expire (SPEC 5.1). */
export function judgeCandidates(context: ShootContext, event: ShootEventOf<'candidates.answered'>): Decision {
  const { seen } = context;
  if (seen === null) throw new Error('candidates were looked for before any lease was seen');
  const cluster = clusterIn(event.cluster) ?? context.cluster;
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
  // The Cluster is not asked for while its stream is live.
  const clusterKnown = event.cluster === undefined || event.cluster.outcome === 'read';
  return concludeLeases({ ...now, seen: { ...now.seen, places } }, event.at, verdict, {
    nodes: event.nodes,
    clusterKnown,
  });
}

/** Says the verdict, and hands over to what is the same for leases and paths. */
function concludeLeases(
  context: Answered,
  at: Instant,
  verdict: Verdict,
  { nodes, clusterKnown }: Readonly<{ nodes?: readonly NodeView[]; clusterKnown: boolean }>,
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
  const { ahead, leftOut } = seen;
  const { clockDiffers } = said;
  const told: ShootNote = {
    kind: 'verdict',
    verdict: kind,
    expired,
    candidates,
    looked: nodes !== undefined,
    ...(verdict.kind === 'cutOff' ? { crossedAt: verdict.crossedAt } : {}),
    ...(clockDiffers === null ? {} : { clockAhead: clockDiffers.by }),
    ...(ahead.count === 0 ? {} : { ahead: ahead.count }),
    ...(doubted.notRenewed === 0 ? {} : { notRenewed: doubted.notRenewed }),
  };
  const first: ShootNote[] = [told];
  if (clockDiffers !== null && context.said.clockDiffers === null)
    first.push({ kind: 'clockDiffers', ahead: clockDiffers.by });
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
        leftOut: leftOut > 0,
        partial: warned.partial,
        late: warned.late,
      },
    },
    at,
    {
      verdict,
      aim: aimOf(verdict, clusterKnown),
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
