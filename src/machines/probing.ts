import type { ClusterView } from '../domain/prober/cluster-view.ts';
import { findCandidates } from '../domain/prober/candidates.ts';
import { drawChance, jittered } from '../domain/jitter.ts';
import { nodeConditionsOf } from '../domain/prober/node-conditions.ts';
import { takeEarly } from '../domain/prober/early-probes.ts';
import type { NodeLease } from '../domain/prober/node-lease.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import { crossingAfter, probeBackoff, planProbe, throttleHold } from '../domain/prober/probe-schedule.ts';
import { mayBeRead } from '../domain/prober/scale-step.ts';
import { seeLeases } from '../domain/prober/seen-lease.ts';
import { clockDifference } from '../domain/prober/served-date.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { isExpired, judgeLeases, type Verdict } from '../domain/prober/verdict.ts';
import { aimOf, leasePolicy, mayBeScaledDown, type Decision, type ShootContext } from './shoot-context.ts';
import type { Note, ShootCommand, ShootEvent } from './shoot-language.ts';

type Of<Type extends ShootEvent['type']> = Extract<ShootEvent, { type: Type }>;

/** An effect that has not answered so long after its deadline never will; the probe counts as failed. */
const lostAfter: Millis = 1_000;

/** The first probe waits, so that a restart does not probe every shoot in one instant; one that we left down does not (SPEC 2, initialDelay). */
export function planFirstProbe(context: ShootContext, at: Instant): Decision {
  const marked = Object.values(context.known).some(({ view }) => view?.found === true && view.marked);
  const atOnce = context.followed || context.interrupted || marked;
  const { length, chance } = jitteredLength(context, context.config.initialDelay);
  return {
    change: {
      followed: false,
      chance,
      probe: { ...context.probe, failuresInRow: 0, nextAt: atOnce ? at : at + length },
    },
    commands: [],
  };
}

/** The rules by which leases are judged have changed: what they say now is asked at once (SPEC 3.3). */
export function hurryProbe(context: ShootContext, at: Instant): Decision {
  const { probe } = context;
  // The shoot's owner may change them as often as he likes: it comes out of the same budget as his leases' probes.
  const { probeAt, budget } = takeEarly(probe.early, { at, wanted: at, askedAt: probe.askedAt ?? -Infinity });
  return spends(context, { probe: { ...probe, early: budget, nextAt: Math.min(probe.nextAt, probeAt) } }, []);
}

export function probeDueAt({ probe }: ShootContext): Instant {
  return Math.max(probe.nextAt, probe.heldUntil);
}

export function probeLostAt({ probe }: ShootContext): Instant {
  return probe.deadlineAt + lostAfter;
}

/** Asks for the leases, and for every dependant whose watch tells nothing (SPEC 4.3, 6.6). */
export function askLeases(context: ShootContext, at: Instant): Decision {
  let numbered = context.numbered + 1;
  const probe = { ...context.probe, number: numbered, askedAt: at, deadlineAt: at + context.config.probeTimeout };
  const commands: ShootCommand[] = [{ type: 'probe', params: { number: numbered, deadlineAt: probe.deadlineAt } }];

  const known = { ...context.known };
  for (const { key, ref } of context.config.dependants) {
    const one = known[key];
    if (one === undefined || one.live || one.reading !== null || one.writing !== null || !mayBeRead(one, at)) continue;
    known[key] = { ...one, reading: ++numbered, slow: true, overtaken: false };
    commands.push({ type: 'read', params: { number: numbered, key, ref, urgent: false } });
  }
  return { change: { numbered, probe, known }, commands };
}

/** Nodes and Machines are asked for only where the answer can depend on them (SPEC 5.4). */
export function mustLook(context: ShootContext, event: Of<'probe.answered'>): boolean {
  if (mayBeScaledDown(context)) return true;
  const { grace } = leasePolicy(context);
  return seen(context, event).leases.some((lease) => isExpired(lease, event.askedAt, grace));
}

/** Where the stream of Clusters tells nothing, the Cluster is asked for as well: what follows may be a scaling (SPEC 3.5). */
export function askCandidates(context: ShootContext, event: Of<'probe.answered'>): Decision {
  const { number, deadlineAt } = context.probe;
  return {
    change: seen(context, event),
    commands: [{ type: 'listCandidates', params: { number, deadlineAt, cluster: !context.clusterLive } }],
  };
}

/** The leases on our clock (SPEC 5.1). */
function seen(context: ShootContext, { askedAt, leases, served }: Of<'probe.answered'>) {
  const clockAhead = clockDifference(served);
  return {
    leases: seeLeases(leases, clockAhead, context),
    leasesAt: askedAt,
    probe: { ...context.probe, askedAt, clockAhead },
  };
}

/** No lease is expired and nothing is scaled down: all leases stand for the candidates, since no outcome differs. */
export function judgeUnlooked(context: ShootContext, event: Of<'probe.answered'>): Decision {
  const now = { ...context, ...seen(context, event) };
  const verdict = judgeLeases(now.leases, event.askedAt, leasePolicy(now));
  return conclude(now, event.at, verdict, { looked: false, clusterKnown: now.clusterLive });
}

/** The leases are as old as the question for them: a slow look must not make them expire (SPEC 5.1). */
export function judgeLooked(context: ShootContext, event: Of<'candidates.answered'>): Decision {
  const asked = event.cluster;
  const cluster = asked?.outcome === 'read' && asked.reading.readable ? asked.reading.cluster : context.cluster;
  const now = { ...context, cluster };
  const candidates = findCandidates(now.leases, event.nodes, event.machines, nodeConditionsOf(cluster?.workers ?? []));
  const verdict = judgeLeases(candidates, now.probe.askedAt ?? event.at, leasePolicy(now));
  // Whoever was not asked for could be relied on.
  const clusterKnown = asked === undefined || asked.outcome === 'read';
  const nonCandidates = namesWithout(now.leases, candidates);
  return conclude({ ...now, nonCandidates }, event.at, verdict, { looked: true, clusterKnown });
}

/** Nothing was learned: what the last verdict began goes on, its counts are kept, and the next probe comes soon (SPEC 4.4, 4.5). */
export function planAfterFailure(context: ShootContext, at: Instant, failure: ProbeFailure): Decision {
  const { probe, config } = context;
  const failuresInRow = probe.failuresInRow + 1;
  const askedAt = probe.askedAt ?? at;
  const crossing = crossingAfter(askedAt, context.leases, context.nonCandidates, leasePolicy(context));
  const dueAt = at + probeBackoff(failuresInRow, config.probeInterval);
  // The seed's own 429 says nothing about the shoot (SPEC 4.5).
  const held = failure.reason === 'throttled' && failure.stage !== 'machines';
  const heldUntil = held ? at + throttleHold(failure.retryAfter) : probe.heldUntil;
  const planned = planProbe(probe.early, { at, askedAt, dueAt, crossing });
  return spends(context, { probe: { ...probe, ...planned, failuresInRow, heldUntil } }, []);
}

/** Says it when the early probes are used up (SPEC 4.6). */
function spends(
  { probe }: ShootContext,
  change: Partial<ShootContext> & Pick<ShootContext, 'probe'>,
  commands: readonly ShootCommand[],
): Decision {
  const isNew = change.probe.early.spent && !probe.early.spent;
  return { change, commands: isNew ? [...commands, note({ kind: 'earlyProbesSpent' })] : commands };
}

export function planAfterLoss(context: ShootContext, at: Instant): Decision {
  const { number } = context.probe;
  const failure: ProbeFailure = { stage: 'leases', reason: 'timeout', detail: 'the probe never answered' };
  const planned = planAfterFailure(context, at, failure);
  return { ...planned, commands: [note({ kind: 'probeLost', number }), ...planned.commands] };
}

/** Counts the verdict, says it, plans the next probe, and hands the verdict to the shield. */
function conclude(
  context: ShootContext,
  at: Instant,
  verdict: Verdict,
  { looked, clusterKnown }: Readonly<{ looked: boolean; clusterKnown: boolean }>,
): Decision {
  const { probe, leases, leasesAt, nonCandidates, streak } = context;
  const askedAt = probe.askedAt ?? at;
  const cutOff = verdict.kind === 'cutOff';
  const { length, chance } = jitteredLength(context, context.config.probeInterval);
  const crossing = crossingAfter(askedAt, leases, nonCandidates, leasePolicy(context));
  const planned = planProbe(probe.early, { at, askedAt, dueAt: askedAt + length, crossing });

  const missing = context.config.dependants.filter(
    ({ key, optional }) => !optional && context.known[key]?.view?.found === false,
  );
  const unsaid = missing.filter(({ key }) => !context.saidMissing.includes(key));
  const { kind, expired, candidates } = verdict;
  const crossed = cutOff ? { crossedAt: verdict.crossedAt } : {};
  const { clockAhead } = probe;
  const differs = clockAhead === 0 ? {} : { clockAhead };
  const concluded = spends(
    context,
    {
      leases,
      leasesAt,
      nonCandidates,
      chance,
      clockDiffers: clockAhead !== 0,
      probe: { ...probe, ...planned, failuresInRow: 0 },
      streak: cutOff ? { cutOff: streak.cutOff + 1, connected: 0 } : { cutOff: 0, connected: streak.connected + 1 },
      crossing: cutOff
        ? (context.crossing ?? { crossedAt: verdict.crossedAt, firstMarkAt: verdict.firstMarkAt, said: false })
        : null,
      saidMissing: missing.map(({ key }) => key),
    },
    [
      note({ kind: 'verdict', verdict: kind, expired, candidates, looked, ...crossed, ...differs }),
      ...(clockAhead === 0 || context.clockDiffers ? [] : [note({ kind: 'clockDiffers', ahead: clockAhead })]),
      ...unsaid.map(({ key }) => note({ kind: 'dependantMissing', key, direction: cutOff ? 'down' : 'up' })),
    ],
  );
  return { ...concluded, verdict: { type: 'verdict.reached', at, verdict, aim: aimOf(verdict, clusterKnown) } };
}

function note(params: Note): ShootCommand {
  return { type: 'note', params };
}

function namesWithout(leases: readonly NodeLease[], candidates: readonly NodeLease[]): readonly string[] {
  const telling = new Set(candidates);
  return leases.filter((lease) => !telling.has(lease)).map(({ node }) => node);
}

function jitteredLength(context: ShootContext, length: Millis): Readonly<{ length: Millis; chance: number }> {
  const { value, rest } = drawChance(context.chance);
  return { length: jittered(length, context.config.backoffJitterFactor, value), chance: rest };
}

/** Whether what the leases are judged by differs (SPEC 3.3). */
export function changesPolicy(before: ClusterView | null, after: ClusterView): boolean {
  return before !== null && judgedBy(before) !== judgedBy(after);
}

function judgedBy({ nodeMonitorGrace, workers }: ClusterView): string {
  return JSON.stringify([nodeMonitorGrace, workers.map(({ name, nodeConditions }) => [name, nodeConditions])]);
}
