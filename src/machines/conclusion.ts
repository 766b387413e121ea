import type { Aim } from '../domain/prober/due-change.ts';
import type { PathVerdict } from '../domain/prober/shoot-path.ts';
import type { Verdict } from '../domain/prober/verdict.ts';
import { crossingAfterSilence } from '../domain/prober/silence.ts';
import { planProbe } from '../domain/prober/probe-schedule.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { hurried, planned, regularProbe } from './probe-plan.ts';
import { isAnythingDue } from './shield.ts';
import {
  failureThresholdMet,
  isDownByUs,
  leasePolicy,
  longerStreak,
  note,
  type Decision,
  type ShootContext,
} from './shoot-context.ts';
import type { ShootNote } from './shoot-language.ts';

/** What a probe told, and how it is to go on. */
export type Conclusion = Readonly<{
  verdict: Verdict | PathVerdict;
  /** A GET has shown the Cluster. */
  clusterRead: boolean;
  /** No verdict came before. */
  isFirst: boolean;
  /** Leases alone would meet the threshold then. */
  crossing?: Instant | undefined;
  /** The next probe comes so soon after this one where the verdict is not yet reached often enough. */
  whileCounting?: Millis;
  /** What is said before what is missing, and behind it. */
  notes: Readonly<{ first: readonly ShootNote[]; last: readonly ShootNote[] }>;
}>;

/** Counts the verdict, says it, plans the next probe, and hands the verdict to the shield. */
export function conclude(context: ShootContext, at: Instant, conclusion: Conclusion): Decision {
  const { verdict, clusterRead, isFirst, crossing, whileCounting, notes } = conclusion;
  const aim = aimOf(verdict, clusterRead);
  const { probe, streak, said } = context;
  const askedAt = probe.asked?.askedAt ?? at;
  const cutOff = verdict.kind === 'cutOff';
  const { dueAt: regularAt, chance } = regularProbe(context, askedAt, isFirst);
  const missing = context.config.dependants
    .filter(({ key, optional }) => !optional && context.known[key]?.view?.found === false)
    .map(({ key }) => key);
  const told: readonly ShootNote[] = [
    ...notes.first,
    ...missing
      .filter((key) => !said.missing.includes(key))
      .map((key) => ({ kind: 'dependantMissing', key, direction: cutOff ? 'down' : 'up' }) as const),
    ...notes.last,
  ];
  const concluded: ShootContext = {
    ...context,
    chance,
    probe: { ...probe, failuresInRow: 0 },
    ...(aim === null
      ? {}
      : { streak: longerStreak(streak, cutOff ? 'cutOff' : 'connected'), outage: outageOf(context, verdict) }),
    said: { ...said, missing },
  };
  const isCounting = whileCounting !== undefined && cutOff && !failureThresholdMet(concluded);
  const dueAt = isCounting ? askedAt + whileCounting : regularAt;
  const plan = planProbe(probe.early, { at, askedAt, dueAt, crossing });
  const goesDown = cutOff && failureThresholdMet(concluded) && isAnythingDue(concluded, 'down');
  const next = hurried(planned(concluded, plan), at, goesDown || isDownByUs(concluded));
  return {
    context: next.context,
    commands: [...told.map(note), ...next.commands],
    ...(aim === null ? {} : { verdict: { type: 'verdict.reached', at, verdict, aim } }),
  };
}

function outageOf(context: ShootContext, verdict: Conclusion['verdict']): ShootContext['outage'] {
  if (verdict.kind !== 'cutOff') return null;
  const { outage, probe, seen } = context;
  // From then on it could be decided.
  const crossedAt = Math.max(verdict.crossedAt, seen?.doubtedUntil ?? -Infinity);
  const { firstMarkAt } = verdict;
  // Paths are asked only where the API server answers.
  const leases = seen?.leases ?? [];
  const crossing = crossingAfterSilence({ crossedAt, firstMarkAt }, probe.silence, leases, leasePolicy(context).grace);
  return outage ?? { ...crossing, stage: 'crossed' };
}

/**
 * Which way a verdict points. Too few to tell raises only what is ours (SPEC 5.3). So does a verdict without a GET of the Cluster: the
 * shoot may hibernate, and the watch lag behind (SPEC 3.5). Null: nothing follows (SPEC 5.8, 5.9).
 */
export function aimOf(verdict: Verdict | PathVerdict, clusterRead: boolean): Aim | null {
  switch (verdict.kind) {
    case 'cutOff':
      return 'down';
    case 'connected':
      return clusterRead ? 'upAll' : 'upOurs';
    case 'tooFew':
      return 'upOurs';
    case 'unjudged':
      return verdict.reached ? 'upOurs' : null;
  }
}
