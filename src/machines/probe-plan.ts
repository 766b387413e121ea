import { takeEarly, firstBackoff, planProbe, probeBackoff, throttleHold } from '../domain/prober/probe-schedule.ts';
import type { ProbeFailure } from '../domain/prober/probe-failure.ts';
import { silenceAfter } from '../domain/prober/silence.ts';
import { drawChance, jittered } from '../domain/backoff.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { crossingOf, mustLook } from './candidate-look.ts';
import {
  isDownByUs,
  leasePolicy,
  note,
  remember,
  type Decision,
  type Probe,
  type ShootContext,
} from './shoot-context.ts';
import type { ShootEventOf } from './shoot-language.ts';
import { isAnythingDue } from './shield.ts';

/**
 * Within so long the shoots are probed that this process followed as a standby: nobody knows how old their leases have grown, and a thousand
 * handshakes at once would answer all of them late.
 */
const takeOverSpread: Millis = 1_000;

/** From one probe to the next while the shoot's API server is silent: what could not be renewed is judged 12 s after its return (SPEC 5.1). */
const pauseWhileSilent: Millis = 10_000;

/** From one probe to the next while something is down by our hand. The kubelets need some 5 s to renew after a healing (SPEC 4.6). */
const pauseWhileDown: Millis = 5_000;

/**
 * A core that wakes for a single probe finds its caches cold, and takes half as much again as for one of several (docs/performance.md). So
 * regular probes come at instants that all shoots share, where their chance leaves that open. Some 25 of 500 shoots come together then.
 */
const sharedEvery: Millis = 500;

/** The shared instant that is nearest to `drawn`, of those between `least` and `most`. */
function shared(drawn: Instant, least: Instant, most: Instant): Instant {
  const nearest = Math.round(drawn / sharedEvery) * sharedEvery;
  const within = nearest < least ? nearest + sharedEvery : nearest > most ? nearest - sharedEvery : nearest;
  return within < least || within > most ? drawn : within;
}

/**
 * The first probe waits, so that a restart does not probe every shoot at once. The probe of a shoot that we left down does not wait
 * (SPEC 2, initialDelay).
 */
export function planFirstProbe(context: ShootContext, at: Instant): Decision {
  const { config, followed, pause } = context;
  const marked = Object.values(context.known).some(({ view }) => view?.found === true && view.marked);
  const atOnce = pause?.interrupted === true || marked;
  const { value, rest } = drawChance(context.chance);
  const wait = followed
    ? Math.floor(takeOverSpread * value)
    : jittered(config.initialDelay, config.backoffJitterFactor, value);
  const probe = { ...context.probe, failuresInRow: 0, silence: null, nextAt: atOnce ? at : at + wait };
  return remember({ ...context, followed: false, chance: rest, probe });
}

/** The rules by which leases are judged have changed: the leases are asked for at once (SPEC 3.3). */
export function hurryProbe(context: ShootContext, at: Instant): Decision {
  const { probe } = context;
  // The shoot's owner may change the rules at will: it comes out of the same budget as the early probes.
  const askedAt = probe.asked?.askedAt ?? -Infinity;
  const { probeAt, budget } = takeEarly(probe.early, { at, wanted: at, askedAt });
  const nextAt = probe.nextAt === null ? null : Math.min(probe.nextAt, probeAt);
  // Which leases count may have changed as well.
  const seen = context.seen && { ...context.seen, lookedAt: null };
  return planned({ ...context, seen }, { nextAt, early: budget });
}

/** Undefined where none is planned. */
export function probeDueAt({ probe: { nextAt, heldUntil } }: ShootContext): Instant | undefined {
  return nextAt === null ? undefined : Math.max(nextAt, heldUntil ?? nextAt);
}

/** The probe told nothing: what the last verdict began goes on, its counts stay, and the next probe comes soon (SPEC 4.4, 4.5). */
export function planAfterFailure(context: ShootContext, at: Instant, failure: ProbeFailure): Decision {
  const probe = isOfCalm(context, failure) ? context.probe : holdAfter(context.probe, at, failure);
  const question = { askedAt: probe.asked?.askedAt ?? at, at };
  const silence = silenceAfter(probe.silence, failure, question, context.seen?.askedAt ?? null);
  return planRetry({ ...context, probe: { ...probe, silence } }, at, latestRetry(context, at, failure));
}

/** Only a look in calm failed. The next one comes much later (SPEC 5.8), and the seed has not refused the leases, which a look may follow that matters. */
function isOfCalm(context: ShootContext, { stage }: ProbeFailure): boolean {
  const { seen } = context;
  return stage === 'machines' && seen !== null && !mustLook({ ...context, seen });
}

/** The server asked us to wait, and answers again any moment: where a mark is ahead, half of the time that is left may pass, but no less than was asked (SPEC 4.5). */
function latestRetry(context: ShootContext, at: Instant, failure: ProbeFailure): Instant {
  if (failure.reason !== 'throttled') return Infinity;
  if (failure.closes === true) return at;
  const { by = -Infinity } = neededBy(context);
  return by > at ? at + Math.max(firstBackoff, Math.floor((by - at) / 2)) : Infinity;
}

/** `latest`: when it comes at the latest, where nothing holds it back. */
export function planRetry(context: ShootContext, at: Instant, latest = Infinity): Decision {
  const { probe, seen, config } = context;
  const failuresInRow = probe.failuresInRow + 1;
  const askedAt = probe.asked?.askedAt ?? at;
  const crossing = crossingOf(context, askedAt);
  const longest = probe.silence?.overAt === null ? pauseWhileSilent : Infinity;
  const dueAt = Math.min(latest, at + probeBackoff(failuresInRow, Math.min(config.probeInterval, longest)));
  // Where we get no answer, kubelets may get none either: what they could not renew must not be held against them (SPEC 5.5).
  const failed = { ...context, probe: { ...probe, failuresInRow }, seen: seen && { ...seen, calmSince: null } };
  const plan = planProbe(probe.early, { at, askedAt, dueAt, crossing });
  return hurried(planned(failed, plan), at + firstBackoff, isDownByUs(context));
}

/** The shoot asked to be left alone, or the seed did as it was asked for the shoot's Machines (SPEC 4.5). */
export function holdAfter(probe: Probe, at: Instant, failure: ProbeFailure): Probe {
  if (failure.reason !== 'throttled') return probe;
  return leaveAlone(probe, at + throttleHold(failure, probe.failuresInRow + 1));
}

/** A longer pause still stands that the shoot asked for in this probe, on its other path. One from before is over, even if the clock was set back. */
export function leaveAlone(probe: Probe, until: Instant): Probe {
  const { heldUntil, asked } = probe;
  const stands = heldUntil !== null && asked !== null && heldUntil > asked.askedAt;
  return { ...probe, heldUntil: stands ? Math.max(until, heldUntil) : until };
}

export function planAfterLoss(context: ShootContext, at: Instant): Decision {
  const { context: after, commands } = planRetry(context, at);
  const lost = note({ kind: 'probeLost', number: context.probe.asked?.number ?? 0 });
  return { context: { ...after, probe: { ...after.probe, asked: null } }, commands: [lost, ...commands] };
}

/** Plans the next probe, and says it when the early probes are used up (SPEC 4.6). */
export function planned(context: ShootContext, plan: Pick<Probe, 'nextAt' | 'early'>): Decision {
  const isNew = plan.early.spent && !context.probe.early.spent;
  return remember(
    { ...context, probe: { ...context.probe, ...plan } },
    isNew ? [note({ kind: 'earlyProbesSpent' })] : [],
  );
}

/** While something is down by our hand, a shoot may be back at any moment: it asks for a probe before the one that is planned (SPEC 4.6). */
export function hurried(decision: Decision, earliestAt: Instant, isDown: boolean): Decision {
  const { asked, nextAt, heldUntil } = decision.context.probe;
  const wanted = Math.max(earliestAt, (asked?.askedAt ?? earliestAt) + pauseWhileDown, heldUntil ?? 0);
  if (!isDown || nextAt === null || wanted >= nextAt) return decision;
  return {
    ...decision,
    commands: [...decision.commands, { type: 'reserveProbe', params: { wanted, latest: nextAt } }],
  };
}

/** The earlier of the two; a place for a plan that has changed meanwhile stays empty. */
export function takePlace(context: ShootContext, { asked, probeAt }: ShootEventOf<'probe.reserved'>): Decision {
  const { probe } = context;
  if (probeAt === null || probe.nextAt !== asked.latest) return remember(context);
  return remember({ ...context, probe: { ...probe, nextAt: probeAt } });
}

/**
 * When the next regular probe comes, after one that was asked at `askedAt`. The first pause is a chance share of the interval: the first probes of
 * all shoots of a seed come within the few seconds by which their initial delays differ, and would stay together (SPEC 2, initialDelay).
 */
export function regularProbe(
  { config, chance }: ShootContext,
  askedAt: Instant,
  isFirst: boolean,
): Readonly<{ dueAt: Instant; chance: number }> {
  const { value, rest } = drawChance(chance);
  const { probeInterval, backoffJitterFactor } = config;
  const length = isFirst ? Math.floor(probeInterval * value) : jittered(probeInterval, backoffJitterFactor, value);
  const least = isFirst ? 0 : probeInterval;
  const most = isFirst ? probeInterval : jittered(probeInterval, backoffJitterFactor, 1);
  return { dueAt: shared(askedAt + length, askedAt + least, askedAt + most), chance: rest };
}

type Needed = Readonly<{ by?: Instant }>;

/**
 * By when a probe, or what it looks for, must have led to a scale-down: when the kube-controller-manager would mark the first node, as far
 * as the last answered probe tells. Where requests wait, the shoot that has the least time goes first (SPEC 1.2). Nothing is said
 * where all is down already, or nothing is known.
 */
export function neededBy(context: ShootContext): Needed {
  const { seen, outage } = context;
  // Two paths know no lease; the first failure told how much time is left.
  if (context.paths !== undefined)
    return outage === null || !isAnythingDue(context, 'down') ? {} : { by: outage.firstMarkAt };
  if (seen === null || !isAnythingDue(context, 'down')) return {};
  const { grace } = leasePolicy(context);
  const excluded = new Set(seen.nonCandidates);
  let oldest = Infinity;
  for (const { node, renewedAt } of seen.leases)
    if (renewedAt !== null && renewedAt < oldest && !excluded.has(node)) oldest = renewedAt;
  return oldest === Infinity ? {} : { by: oldest + grace };
}
