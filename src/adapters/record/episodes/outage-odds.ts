import type { DependantKey } from '../../../domain/prober/dependant.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import { lengthWords } from '../../words/plain-words.ts';
import { thresholdWords } from '../words/probe-words.ts';
import { shortName } from '../words/write-words.ts';
import { type EpisodeOdd, type FollowedTurn, listWords } from './episode.ts';
import { raisedIn, type TakenOver } from './outage-runs.ts';
import type { ShootOutage } from './shoot-outages.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { ShootEventOf } from '../../../machines/shoot-language.ts';

/** What was asked before a shoot was decided on: when the probe that decided was asked, and since when and until when those before it failed. */
export type Asked = Readonly<{ at: Instant | null; failed: Failed | null }>;

type Failed = Readonly<{ since: Instant; until: Instant; reason: ProbeFailure['reason'] }>;

/** Remembers of one shoot when its last probe was asked, and which failed since the last verdict. */
export function askedWitness() {
  let asked: Asked = { at: null, failed: null };
  return {
    /** Every turn of the shoot must pass, in order, and be followed by a question. */
    observe({ event }: FollowedTurn<ShootLanguage>): void {
      if (event.type === 'started') asked = { at: null, failed: null };
      if (event.type === 'probe.failed') {
        const { askedAt, at, failure } = event;
        asked = { ...asked, failed: { since: asked.failed?.since ?? askedAt, until: at, reason: failure.reason } };
      }
      if (event.type === 'probe.answered' || (event.type === 'path.answered' && event.path === 'external'))
        asked = { ...asked, at: event.askedAt };
    },
    asked: (): Asked => asked,
    /** A verdict was reached: whatever failed before it is over. */
    judged: (): void => void (asked = { ...asked, failed: null }),
  };
}

/** What is worse of it than that there was an outage, as what its shoot did: `was 0.45 s too late: its API server took 2.5 s to answer`. */
export function oddsOf(outage: ShootOutage, over: readonly TakenOver[]): readonly EpisodeOdd[] {
  const { downAt, firstMarkAt, downAgain, overdue } = outage;
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
  const unready = outage.late.filter(({ direction, since }) => direction === 'up' && since === undefined);
  if (outage.backAt !== null && unready.length > 0) {
    const names = unready.map(({ key }) => shortName(key));
    odds.push({ what: 'notReady', words: `came back with ${listWords(names, mostUnready)} not ready`, by: 0 });
  }
  return odds;
}

/** So many are named; more are counted. */
const mostUnready = 2;

function tooLate(at: Instant, markAt: Instant, why: string): EpisodeOdd {
  return { what: 'tooLate', words: `was ${lengthWords(at - markAt)} too late${why}`, by: at - markAt };
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

/** Leases that are renewed at any time of their ten seconds meet the usual threshold, of 60 %, some 4 s before the first mark. */
const usualLead: Millis = 4_000;

function thresholdParts({ leases }: ShootOutage, cutOffAt: Instant, firstMarkAt: Instant): readonly Part[] {
  if (leases === null) return [];
  const left = firstMarkAt - cutOffAt;
  const when = left < 0 ? `${lengthWords(-left)} after` : `only ${lengthWords(left)} before`;
  return [{ took: usualLead - left, words: `enough leases had expired ${when} the first node could be marked` }];
}

function askingParts(
  { asked, external, witnessed, runs, turns }: ShootOutage,
  { cutOffAt, decidedAt }: Readonly<{ cutOffAt: Instant; decidedAt: Instant }>,
  over: readonly TakenOver[],
): readonly Part[] {
  const askedAt = Math.max(asked?.at ?? decidedAt, cutOffAt);
  const answering = {
    took: decidedAt - askedAt,
    words: `its API server took ${lengthWords(decidedAt - askedAt)} to answer`,
  };
  // Of two paths the first failure is the threshold, and each that follows is wanted.
  const [took, often] =
    external === null ? [askedAt - cutOffAt, witnessed?.failureThreshold ?? 1] : [decidedAt - cutOffAt, external.of];
  const leader = over.findLast(({ leader }) => leader.tookAt > cutOffAt && leader.tookAt <= decidedAt)?.leader;
  const isOther = runs[0] !== undefined && turns.decided?.run !== runs[0].run;
  const words =
    leader !== undefined || isOther
      ? `${leader?.words ?? 'another process'} took the lead in the outage, and asked ${lengthWords(took)} after the threshold was met`
      : asked?.failed != null
        ? `its API server told nothing for ${lengthWords(asked.failed.until - asked.failed.since)} (${asked.failed.reason})`
        : often > 1
          ? `${thresholdWords(often)}, which took ${lengthWords(took)}`
          : `it was probed only ${lengthWords(took)} after the threshold was met`;
  return external === null ? [{ took, words }, answering] : [{ took, words }];
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
