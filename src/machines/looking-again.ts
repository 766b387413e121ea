import { crossingAfter, planProbe } from '../domain/prober/probe-schedule.ts';
import { leaseDoubts } from '../domain/prober/lease-doubt.ts';
import { servedMeanwhile } from '../domain/prober/silence.ts';
import { judgeLeases, type Verdict } from '../domain/prober/verdict.ts';
import type { Instant } from '../domain/time.ts';
import { hurried, planned } from './planning.ts';
import type { ShootNote } from './shoot-language.ts';
import { andThen, isDownByUs, leasePolicy, note, remember, type Answered, type Decision } from './shoot-context.ts';

type Doubt = Omit<Extract<ShootNote, { kind: 'leasesInDoubt' }>, 'kind'>;

/** What stands in the way of a verdict that leads down by leases which are in doubt alone (SPEC 5.1). */
export function doubtIn(context: Answered, verdict: Verdict): Doubt | undefined {
  if (verdict.kind !== 'cutOff') return undefined;
  const { leases, askedAt, nonCandidates } = context.seen;
  const policy = leasePolicy(context);
  const excluded = new Set(nonCandidates);
  const { silence } = context.probe;
  const doubtEndsAt = leaseDoubts(leases, { askedAt, grace: policy.grace, silence });
  const ends: Instant[] = [];
  const sure = leases
    .filter(({ node }) => !excluded.has(node))
    .map((lease) => {
      const endsAt = doubtEndsAt(lease);
      if (endsAt === undefined) return lease;
      ends.push(endsAt);
      return { ...lease, renewedAt: null };
    });
  if (ends.length === 0 || judgeLeases(sure, askedAt, policy).kind === 'cutOff') return undefined;
  const silentFor =
    silence === null || servedMeanwhile(silence, leases) === undefined ? undefined : silence.until - silence.since;
  return { leases: ends.length, until: Math.min(...ends), ...(silentFor === undefined ? {} : { silentFor }) };
}

/** Nothing follows, neither down nor up, and all counts stay: the next probe decides, once kubelets that live have renewed. */
export function lookAgain(context: Answered, at: Instant, doubt: Doubt): Decision {
  const { probe, seen } = context;
  const { askedAt, leases, nonCandidates } = seen;
  const crossing = crossingAfter(askedAt, leases, nonCandidates, leasePolicy(context));
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
