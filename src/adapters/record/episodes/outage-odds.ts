import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { counted, lengthWords } from '../../words/plain-words.ts';
import { shortName } from '../words/write-words.ts';
import type { EpisodeOdd, FollowedTurn } from './episode.ts';
import { raisedIn, type TakenOver } from './outage-runs.ts';
import type { ShootOutage } from './shoot-outages.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';

/** What was asked before a shoot was decided on. Null where no turn tells. */
export type Asked = Readonly<{
  /** When the probe that decided was asked. */
  at: Instant | null;
  /** Since when, and how, the probes right before it failed. */
  failed: Readonly<{ since: Instant; failure: ProbeFailure }> | null;
}>;

/** Remembers of one shoot when its last probe was asked, and which failed since the one that answered before. */
export function askedWitness() {
  let asked: Asked = { at: null, failed: null };
  let failing: Asked['failed'] = null;
  return {
    /** Every turn of the shoot must pass, in order. */
    observe({ event }: FollowedTurn<ShootLanguage>): void {
      if (event.type === 'started') failing = null;
      if (event.type === 'probe.failed') failing = { since: failing?.since ?? event.askedAt, failure: event.failure };
      const answers = event.type === 'probe.answered' || (event.type === 'path.answered' && event.path === 'external');
      if (!answers) return;
      asked = { at: event.askedAt, failed: failing };
      if (event.type === 'probe.answered') failing = null;
    },
    asked: (): Asked => asked,
  };
}

/** What is worse of it than that there was an outage, as what its shoot did: `was 0.45 s too late: its API server took 2.5 s to answer`. */
export function oddsOf(outage: ShootOutage, over: readonly TakenOver[]): readonly EpisodeOdd[] {
  const { downAt, firstMarkAt, downAgain, overdue } = outage;
  const tooLate = (at: Instant, markAt: Instant, why = ''): EpisodeOdd => ({
    what: 'tooLate',
    words: `was ${lengthWords(at - markAt)} too late${why}`,
    by: at - markAt,
  });
  const isLate = downAt !== null && firstMarkAt !== null && downAt > firstMarkAt;
  const why = lateCause(outage, over);
  const odds: EpisodeOdd[] = [];
  if (isLate) odds.push(tooLate(downAt, firstMarkAt, why === undefined ? '' : `: ${why}`));
  else if (downAgain !== null && downAgain.at > downAgain.firstMarkAt)
    odds.push(tooLate(downAgain.at, downAgain.firstMarkAt, ' once more: somebody else had raised a dependant'));
  else if (overdue) odds.push({ what: 'notDown', words: 'was not scaled down when a node could be marked', by: 0 });
  const [raised] = raisedIn(outage);
  if (raised !== undefined)
    odds.push({
      what: 'raised',
      words: `had ${shortName(raised.key)} raised by ${raised.by === '' ? 'somebody else' : raised.by}`,
      by: 0,
    });
  return odds;
}

type Part = Readonly<{ took: Millis; words: string }>;

/**
 * What took most of the time in which a shoot was to be protected, and was not: `its API server took 2.5 s to answer`. The parts come to the whole time from
 * the threshold to the last pod, and to what the threshold itself was late: so the largest is why. Undefined where the turns do not tell.
 */
function lateCause(outage: ShootOutage, over: readonly TakenOver[]): string | undefined {
  const { cutOffAt, decidedAt, downAt, firstMarkAt } = outage;
  if (cutOffAt === null || decidedAt === null || downAt === null || firstMarkAt === null) return undefined;
  const parts = [
    ...thresholdParts(outage, cutOffAt, firstMarkAt),
    ...askingParts(outage, { cutOffAt, decidedAt }, over),
    ...writingParts(outage, { decidedAt, downAt }),
  ];
  return parts.toSorted((one, other) => other.took - one.took)[0]?.words;
}

/** Leases that are renewed one after the other meet the threshold a quarter of the grace before a mark; those that were old already later. */
function thresholdParts({ leases, witnessed }: ShootOutage, cutOffAt: Instant, firstMarkAt: Instant): readonly Part[] {
  if (leases === null || witnessed === undefined) return [];
  const [left, usual] = [firstMarkAt - cutOffAt, witnessed.expiry / 3];
  const when = left < 0 ? `${lengthWords(-left)} after` : `only ${lengthWords(left)} before`;
  const words = `enough leases had expired ${when} the first node could be marked`;
  return [{ took: usual - left, words }];
}

function askingParts(
  { asked, external, runs, turns }: ShootOutage,
  { cutOffAt, decidedAt }: Readonly<{ cutOffAt: Instant; decidedAt: Instant }>,
  over: readonly TakenOver[],
): readonly Part[] {
  if (asked === null || asked.at === null) return [{ took: decidedAt - cutOffAt, words: 'it was decided late' }];
  const [unasked, answering] = [asked.at - cutOffAt, decidedAt - Math.max(asked.at, cutOffAt)];
  const took = over.findLast(({ leader }) => leader.tookAt > cutOffAt && leader.tookAt <= decidedAt);
  const by = turns.decided?.run;
  const isOther = took !== undefined || (by !== undefined && runs[0] !== undefined && by !== runs[0].run);
  const { failed } = asked;
  const why = isOther
    ? `${took === undefined ? 'another process' : took.leader.words} took over in the outage, and asked ${lengthWords(unasked)} after the threshold was met`
    : failed !== null
      ? `its API server told nothing for ${lengthWords(asked.at - failed.since)} (${failed.failure.reason})`
      : external === null
        ? `it was probed only ${lengthWords(unasked)} after the threshold was met`
        : `${counted(external.of, 'answer')} in a row had to fail, which took ${lengthWords(decidedAt - cutOffAt)}`;
  return [
    { took: external === null ? unasked : decidedAt - cutOffAt, words: why },
    ...(external === null
      ? [{ took: answering, words: `its API server took ${lengthWords(answering)} to answer` }]
      : []),
  ];
}

function writingParts(
  { scaled, writing, late }: ShootOutage,
  { decidedAt, downAt }: Readonly<{ decidedAt: Instant; downAt: Instant }>,
): readonly Part[] {
  const last =
    late.find(({ direction }) => direction === 'down') ?? scaled.findLast(({ to, at }) => to === 0 && at <= downAt);
  const slowest = Math.min(writing.slowest, downAt - decidedAt);
  const ending = downAt - decidedAt - slowest;
  const who = last === undefined ? 'the pods' : `the pods of ${shortName(last.key)}`;
  return [
    {
      took: slowest,
      words: `the seed ${writing.refused ? 'refused' : 'took'} ${writing.refused ? `a write for ${lengthWords(slowest)}` : `${lengthWords(slowest)} to take a write`}`,
    },
    { took: ending, words: `${who} took ${lengthWords(ending)} to end` },
  ];
}

/** The writes of one way down: when each dependant's was first asked for, how long the slowest took, and whether the seed refused any. */
export type Writing = Readonly<{ first: Readonly<Record<DependantKey, Instant>>; slowest: Millis; refused: boolean }>;

/** After one more answer to a write of the way down. */
export function afterWrite(
  { first, slowest, refused }: Writing,
  { asked, askedAt, at, answer }: ShootEventOf<'scale.answered'>,
): Writing {
  const since = first[asked.key] ?? askedAt;
  return {
    first: { ...first, [asked.key]: since },
    slowest: Math.max(slowest, at - since),
    refused: refused || answer.outcome !== 'written',
  };
}
