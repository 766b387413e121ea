import type { Instant, Millis } from '../time.ts';
import type { PodOrigin } from './pod.ts';

/** The last round of an owner in a window: each of the pods that it had by then goes once (SPEC 7.3). `count`: of those before it. */
type Round = Readonly<{ begunAt: Instant; count: number }>;

/** By the owner's UID; absent before its first round. */
export type OwnerRounds = Readonly<Record<string, Round>>;

/** From the first round to the second; twice as long from each one to the next. Four rounds come in five minutes. */
const firstPause: Millis = 30_000;

/** Clocks under NTP differ by less. Where the seed's is further behind ours, new pods look older by as much, and go at once for so long. */
const tolerated: Millis = 3_000;

/** When a pod may go at the earliest. */
export function mayGoAt(origin: PodOrigin, rounds: OwnerRounds): Instant {
  const round = origin.owner === undefined ? undefined : rounds[origin.owner];
  return round === undefined || isOf(round, origin) ? -Infinity : round.begunAt + firstPause * 2 ** round.count;
}

/** The rounds once this pod goes. */
export function roundsAfter(origin: PodOrigin, rounds: OwnerRounds, at: Instant): OwnerRounds {
  const { owner } = origin;
  if (owner === undefined) return rounds;
  const round = rounds[owner];
  if (round !== undefined && (round.begunAt === at || isOf(round, origin))) return rounds;
  return { ...rounds, [owner]: { begunAt: at, count: round === undefined ? 0 : round.count + 1 } };
}

function isOf({ begunAt }: Round, { createdAt = -Infinity }: PodOrigin): boolean {
  return createdAt <= begunAt - tolerated;
}
