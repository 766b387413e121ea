import { findCandidates, nodeConditionsOf, type NodeView } from '../domain/prober/candidates.ts';
import { takeEarly } from '../domain/prober/early-probes.ts';
import { doubtLeases } from './doubting.ts';
import type { NodeLease } from '../domain/prober/node-lease.ts';
import { leasesAhead } from '../domain/prober/odd-leases.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import { crossingAfter, planProbe, probeBackoff, throttleHold } from '../domain/prober/probe-schedule.ts';
import { mayBeRead } from '../domain/prober/scale-step.ts';
import { seeLeases } from '../domain/prober/seen-lease.ts';
import { clockDifference } from '../domain/prober/served-date.ts';
import { isExpired, judgeLeases, type Verdict } from '../domain/prober/verdict.ts';
import { drawChance, jittered } from '../domain/jitter.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { isAnythingDue } from './shielding.ts';
import {
  aimOf,
  leasePolicy,
  mayBeScaledDown,
  note,
  remember,
  type Answered,
  type AskedProbe,
  type Decision,
  type Probe,
  type ShootContext,
} from './shoot-context.ts';
import type { ShootNote, ShootCommand, ShootEventOf } from './shoot-language.ts';

/** An effect that has not answered so long after its deadline never will. The probe then counts as failed. */
const lostAfter: Millis = 1_000;

/** The first probe waits, so that a restart does not probe every shoot at once. The probe of a shoot that we left down does not wait (SPEC 2, initialDelay). */
export function planFirstProbe(context: ShootContext, at: Instant): Decision {
  const marked = Object.values(context.known).some(({ view }) => view?.found === true && view.marked);
  const atOnce = context.followed || context.pause?.interrupted === true || marked;
  const { length, chance } = jitteredLength(context, context.config.initialDelay);
  const probe = { ...context.probe, failuresInRow: 0, nextAt: atOnce ? at : at + length };
  return remember({ ...context, followed: false, chance, probe });
}

/** The rules by which leases are judged have changed: the leases are asked for at once (SPEC 3.3). */
export function hurryProbe(context: ShootContext, at: Instant): Decision {
  const { probe } = context;
  // The shoot's owner may change the rules at will: it comes out of the same budget as the early probes.
  const askedAt = probe.asked?.askedAt ?? -Infinity;
  const { probeAt, budget } = takeEarly(probe.early, { at, wanted: at, askedAt });
  const nextAt = probe.nextAt === null ? null : Math.min(probe.nextAt, probeAt);
  return planned(context, { nextAt, early: budget });
}

/** Undefined where none is planned. */
export function probeDueAt({ probe: { nextAt, heldUntil } }: ShootContext): Instant | undefined {
  return nextAt === null ? undefined : Math.max(nextAt, heldUntil ?? nextAt);
}

/** Undefined where none was asked. */
export function probeLostAt({ probe: { asked } }: ShootContext): Instant | undefined {
  return asked === null ? undefined : asked.deadlineAt + lostAfter;
}

export function isCurrentProbe({ probe }: ShootContext, { number }: Pick<AskedProbe, 'number'>): boolean {
  return number === probe.asked?.number;
}

/** Asks for the leases, and for every dependant whose watch tells nothing (SPEC 4.3, 6.6). */
export function askLeases(context: ShootContext, at: Instant): Decision {
  let numbered = context.numbered + 1;
  const asked: AskedProbe = { number: numbered, askedAt: at, deadlineAt: at + context.config.probeTimeout };
  const commands: ShootCommand[] = [{ type: 'probe', params: { number: asked.number, deadlineAt: asked.deadlineAt } }];

  const known = { ...context.known };
  for (const { key, ref } of context.config.dependants) {
    const one = known[key];
    if (one === undefined || one.live || one.reading !== null || one.writing !== null || !mayBeRead(one, at)) continue;
    known[key] = { ...one, reading: { number: ++numbered, bucket: 'ordinary', overtaken: false } };
    commands.push({ type: 'read', params: { number: numbered, key, ref, urgent: false } });
  }
  return { context: { ...context, numbered, known, probe: { ...context.probe, asked } }, commands };
}

/** Nodes and Machines are asked for only where they can change the verdict (SPEC 5.4). */
export function mustLook(context: ShootContext, event: ShootEventOf<'probe.answered'>): boolean {
  if (mayBeScaledDown(context)) return true;
  const { grace } = leasePolicy(context);
  return recordAnswer(context, event).seen.leases.some((lease) => isExpired(lease, event.askedAt, grace));
}

/** While the stream of Clusters is out, the Cluster is asked for as well: what follows may be a scaling (SPEC 3.5). */
export function askCandidates(context: ShootContext, event: ShootEventOf<'probe.answered'>): Decision {
  const { number } = event;
  const deadlineAt = context.probe.asked?.deadlineAt ?? event.at;
  return {
    context: recordAnswer(context, event),
    commands: [
      {
        type: 'listCandidates',
        params: { number, deadlineAt, cluster: !context.clusterLive, urgent: isAnythingDue(context, 'down') },
      },
    ],
  };
}

/** The leases on our clock (SPEC 5.1). */
function recordAnswer(
  context: ShootContext,
  { at, number, askedAt, leases, served }: ShootEventOf<'probe.answered'>,
): Answered {
  const { probe } = context;
  const clockAhead = clockDifference(served);
  const { nonCandidates, counted, calmSince } = context.seen ?? { nonCandidates: [], counted: null, calmSince: null };
  const onOurClock = seeLeases(leases, clockAhead, context.seen);
  const ahead = leasesAhead(onOurClock, at + clockAhead);
  return {
    ...context,
    probe: { ...probe, asked: { number, askedAt, deadlineAt: probe.asked?.deadlineAt ?? askedAt } },
    seen: { askedAt, leases: onOurClock, clockAhead, nonCandidates, counted, ahead, calmSince },
  };
}

/** No lease is expired and nothing is scaled down, so all leases may count as candidates: the outcome is the same. */
export function judgeLeasesAlone(context: ShootContext, event: ShootEventOf<'probe.answered'>): Decision {
  const now = recordAnswer(context, event);
  const verdict = judgeLeases(now.seen.leases, event.askedAt, leasePolicy(now));
  return conclude(now, event.at, verdict, { clusterKnown: now.clusterLive });
}

/** The leases are judged as of the instant when they were asked for: a slow look must not make them expire (SPEC 5.1). */
export function judgeCandidates(context: ShootContext, event: ShootEventOf<'candidates.answered'>): Decision {
  const { seen } = context;
  if (seen === null) throw new Error('candidates were looked for before any lease was seen');
  const asked = event.cluster;
  const cluster = asked?.outcome === 'read' && asked.reading.readable ? asked.reading.cluster : context.cluster;
  const { leases, askedAt } = seen;
  const candidates = findCandidates(leases, event.nodes, event.machines, nodeConditionsOf(cluster?.workers ?? []));
  const now = { ...context, cluster, seen: { ...seen, nonCandidates: namesWithout(leases, candidates) } };
  const verdict = judgeLeases(candidates, askedAt, leasePolicy(now));
  // The Cluster is not asked for while its stream is live.
  const clusterKnown = asked === undefined || asked.outcome === 'read';
  return conclude(now, event.at, verdict, { nodes: event.nodes, clusterKnown });
}

/** The probe told nothing: what the last verdict began goes on, its counts stay, and the next probe comes soon (SPEC 4.4, 4.5). */
export function planAfterFailure(context: ShootContext, at: Instant, failure: ProbeFailure): Decision {
  const { probe, seen, config } = context;
  const failuresInRow = probe.failuresInRow + 1;
  const askedAt = probe.asked?.askedAt ?? at;
  const crossing = crossingAfter(askedAt, seen?.leases ?? [], seen?.nonCandidates ?? [], leasePolicy(context));
  const dueAt = at + probeBackoff(failuresInRow, config.probeInterval);
  // The seed's own 429 says nothing about the shoot (SPEC 4.5).
  const held = failure.reason === 'throttled' && failure.stage !== 'machines';
  const heldUntil = held ? at + throttleHold(failure.retryAfter) : probe.heldUntil;
  // Where we get no answer, kubelets may get none either: what they could not renew must not be held against them (SPEC 5.5).
  const failed = {
    ...context,
    probe: { ...probe, failuresInRow, heldUntil },
    seen: seen && { ...seen, calmSince: null },
  };
  return planned(failed, planProbe(probe.early, { at, askedAt, dueAt, crossing }));
}

export function planAfterLoss(context: ShootContext, at: Instant): Decision {
  const failure: ProbeFailure = { stage: 'leases', reason: 'timeout', detail: 'the probe never answered' };
  const { context: after, commands } = planAfterFailure(context, at, failure);
  const lost = note({ kind: 'probeLost', number: context.probe.asked?.number ?? 0 });
  return { context: { ...after, probe: { ...after.probe, asked: null } }, commands: [lost, ...commands] };
}

/** Plans the next probe, and says it when the early probes are used up (SPEC 4.6). */
function planned(context: ShootContext, plan: Pick<Probe, 'nextAt' | 'early'>): Decision {
  const isNew = plan.early.spent && !context.probe.early.spent;
  return {
    context: { ...context, probe: { ...context.probe, ...plan } },
    commands: isNew ? [note({ kind: 'earlyProbesSpent' })] : [],
  };
}

/** Counts the verdict, says it, plans the next probe, and hands the verdict to the shield. */
function conclude(
  context: Answered,
  at: Instant,
  verdict: Verdict,
  { nodes, clusterKnown }: Readonly<{ nodes?: readonly NodeView[]; clusterKnown: boolean }>,
): Decision {
  const { probe, streak } = context;
  const askedAt = probe.asked?.askedAt ?? at;
  const doubted = doubtLeases(context, at, verdict, nodes ?? []);
  const { seen, said } = doubted.context;
  const cutOff = verdict.kind === 'cutOff';
  const { length, chance } = jitteredLength(context, context.config.probeInterval);
  const crossing = crossingAfter(askedAt, seen.leases, seen.nonCandidates, leasePolicy(context));

  const missing = context.config.dependants
    .filter(({ key, optional }) => !optional && context.known[key]?.view?.found === false)
    .map(({ key }) => key);
  const { kind, expired, candidates } = verdict;
  const { clockAhead, ahead } = seen;
  const notes: readonly ShootNote[] = [
    {
      kind: 'verdict',
      verdict: kind,
      expired,
      candidates,
      looked: nodes !== undefined,
      ...(cutOff ? { crossedAt: verdict.crossedAt } : {}),
      ...(clockAhead === 0 ? {} : { clockAhead }),
      ...(ahead.count === 0 ? {} : { ahead: ahead.count }),
      ...(doubted.notRenewed === 0 ? {} : { notRenewed: doubted.notRenewed }),
    },
    ...(clockAhead === 0 || said.clockDiffers ? [] : [{ kind: 'clockDiffers', ahead: clockAhead } as const]),
    ...missing
      .filter((key) => !said.missing.includes(key))
      .map((key) => ({ kind: 'dependantMissing', key, direction: cutOff ? 'down' : 'up' }) as const),
    ...doubted.notes,
  ];
  const of = cutOff ? 'cutOff' : 'connected';
  const concluded: ShootContext = {
    ...context,
    chance,
    probe: { ...probe, failuresInRow: 0 },
    seen: { ...seen, counted: { expired, candidates } },
    streak: { of, count: streak.of === of ? streak.count + 1 : 1 },
    outage: cutOff
      ? (context.outage ?? { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt, stage: 'crossed' })
      : null,
    said: { ...said, missing, clockDiffers: clockAhead !== 0 },
  };
  const next = planned(concluded, planProbe(probe.early, { at, askedAt, dueAt: askedAt + length, crossing }));
  return {
    context: next.context,
    commands: [...notes.map(note), ...next.commands],
    verdict: { type: 'verdict.reached', at, verdict, aim: aimOf(verdict, clusterKnown) },
  };
}

function namesWithout(leases: readonly NodeLease[], candidates: readonly NodeLease[]): readonly string[] {
  const telling = new Set(candidates);
  return leases.filter((lease) => !telling.has(lease)).map(({ node }) => node);
}

function jitteredLength(context: ShootContext, length: Millis): Readonly<{ length: Millis; chance: number }> {
  const { value, rest } = drawChance(context.chance);
  return { length: jittered(length, context.config.backoffJitterFactor, value), chance: rest };
}
