import { leasesWithout, renewedWithin, type NodeLease } from '../domain/prober/node-lease.ts';
import {
  areFew,
  areMany,
  expiredIn,
  lateLeases,
  leasesBeside,
  partialOutage,
  type PartialOutage,
} from '../domain/prober/partial-outage.ts';
import type { Verdict } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { cannotTell } from './candidate-look.ts';
import { leasePolicy, type Answered } from './shoot-context.ts';
import type { ShootNote, Unjudged } from './shoot-language.ts';

/**
 * Says once that a part of a shoot is cut off (SPEC 5.6), or that many leases are late (SPEC 5.7), and once that it is over. No verdict
 * depends on it. `crossesAt`: when the threshold is met if nobody renews. `partial`, `late` and `connectedSince` are to be remembered.
 */
export function warnEarly(
  context: Answered,
  {
    verdict,
    candidates,
    crossesAt,
  }: Readonly<{ verdict: Verdict; candidates: readonly NodeLease[]; crossesAt: Instant | undefined }>,
): Readonly<{
  partial: PartialOutage | null;
  late: boolean;
  connectedSince: Instant | null;
  notes: readonly ShootNote[];
}> {
  const { said, seen, probe } = context;
  const asOf = { now: seen.askedAt, grace: leasePolicy(context).grace };
  const notes: ShootNote[] = [];
  let { partial, late } = said;
  const isCutOff = verdict.kind === 'cutOff';
  const begun = Math.max(seen.connectedSince ?? seen.askedAt, probe.silence?.overAt ?? -Infinity);
  const connectedSince = isCutOff ? null : begun;
  // After an outage of all, or a silence of the API server, leases come back one by one, and tell nothing of a part. A first look
  // cannot tell an old lease from a kubelet's clock that is behind (SPEC 5.1).
  const isJudged = connectedSince !== null && seen.askedAt - connectedSince >= renewedWithin;

  const outage = isJudged ? partialOutage(candidates, seen.places, asOf) : undefined;
  const isBack = (said: PartialOutage) => expiredIn(said, candidates, seen.places, asOf) < said.expired / 2;
  if (outage !== undefined && !isSaid(outage, partial)) {
    notes.push({ kind: 'partialOutage', ...outage });
    // Of more than ten groups only those that are named can be looked at again.
    partial = { ...outage, expired: expiredIn(outage, candidates, seen.places, asOf) };
    // What was late before is told with it, unless it is elsewhere.
    late = false;
  } else if (partial !== null && (isCutOff || (outage === undefined && isBack(partial)))) {
    notes.push({ kind: 'partialOutageOver' });
    partial = null;
  }

  // A part that was told is not told again as late, not even by its last leases when it comes back.
  const leases = lateLeases(leasesBeside(partial ?? said.partial, candidates, seen.places), asOf);
  if (!late && isJudged && areMany(leases)) {
    notes.push({ kind: 'renewalsLate', ...leases, ...(crossesAt === undefined ? {} : { crossesAt }) });
    late = true;
  } else if (late && (isCutOff || areFew(leases))) {
    // The verdict says what became of it.
    if (!isCutOff) notes.push({ kind: 'renewalsLateOver' });
    late = false;
  }
  return { partial, late, connectedSince, notes };
}

function isSaid({ by, groups }: PartialOutage, said: PartialOutage | null): boolean {
  return said?.by === by && groups.every((group) => said.groups.includes(group));
}

/** A node that has just joined has no lease for some seconds. */
const toldAfter: Millis = 60_000;

/**
 * Says once that nobody can tell whether the shoot is cut off (SPEC 5.8, 5.9), after a minute of it, and once that it is over. It is said too where the
 * leases that are there still tell that it is connected, and could not tell that it is cut off.
 */
export function tellBlind(
  context: Answered,
  verdict: Verdict,
): Readonly<{ since: Instant | null; said: Unjudged | null; notes: readonly ShootNote[] }> {
  const { seen, said } = context;
  const { looked, leases, nonCandidates, askedAt } = seen;
  if (looked === null || !cannotTell(context, verdict))
    return { since: null, said: null, notes: said.unjudged === null ? [] : [{ kind: 'unjudgedOver' }] };
  const since = seen.unjudgedSince ?? askedAt;
  if (said.unjudged !== null || askedAt - since < toldAfter) return { since, said: said.unjudged, notes: [] };
  const { nodes, untold } = looked;
  const telling = leasesWithout(leases, nonCandidates).filter(({ renewedAt }) => renewedAt !== null);
  const unjudged = { nodes, leases: telling.length, untold };
  return { since, said: unjudged, notes: [{ kind: 'unjudged', ...unjudged }] };
}
