import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { failureWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { clockWords, counted, instantText, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { type Pause, pauseIn } from 'dependency-watchdog/adapters/record/facts/shoot-standing.ts';
import { pauseWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { pathProbes } from 'dependency-watchdog/adapters/record/facts/path-probes.ts';
import { firstLine, type FollowedTurn } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { followSpans, spanWords } from './follow-spans.ts';

/** Probes of one shoot that failed, one after the other. */
type FailingProbes = Readonly<{
  failures: number;
  lastAt: Instant;
  /** The last one, and of which reasons there were how many. */
  failure: ProbeFailure;
  reasons: Readonly<Partial<Record<ProbeFailure['reason'], number>>>;
  /** Whether it ended with an answer; else nothing is asked any more. */
  answered: boolean;
  /** For how long the shoot was left alone, at most, after a failure of its internal path (SPEC 4.9); null where it never was. */
  leftAlone: Millis | null;
}>;

/** An API server that begins anew is away for some seconds. */
const newsAfter: Millis = 10_000;

/** Follows the probes of one shoot that tell nothing. */
export function followFailingProbes() {
  const paths = pathProbes();
  return followSpans<ShootLanguage, FailingProbes>({
    kind: 'unreachable',
    steps([open], turn) {
      const { event, from, to, notes } = turn;
      const before = open?.one;
      const failure = paths.observe(turn);
      if (failure !== undefined) return [{ one: afterFailure(before, failure, turn) }];
      const answered = notes.some(({ kind }) => kind === 'verdict' || kind === 'leasesInDoubt');
      const left = (event.type === 'ended' && event.because === 'gone') || (to === 'idle' && from !== 'idle');
      return before !== undefined && (answered || left) ? [{ one: { ...before, answered }, over: true }] : [];
    },
    // One that failed alone is no news, nor are some within seconds, unless the shoot is left alone by them.
    tells: ({ failures, lastAt, leftAlone }, { began }) =>
      leftAlone !== null || (failures > 1 && lastAt - began.at >= newsAfter),
    words({ failures, failure, reasons, answered, leftAlone }, span) {
      const { subject, at } = span.began;
      const ends = answered ? 'answers again' : 'not asked any more';
      return spanWords(span, {
        weight: 'notable',
        what: `${counted(failures, 'probe')} in a row told nothing from ${clockWords(at)} on, because ${failureWords.sentence({ ...failure, detail: firstLine(failure.detail) })}`,
        how: answered ? 'it answered again' : ends,
        lines: [
          ...(Object.keys(reasons).length < 2 ? [] : [`reasons: ${reasonWords(reasons)}`]),
          ...(leftAlone === null ? [] : [`left alone for ${lengthWords(leftAlone)} after each failure`]),
        ],
        begins: 'fails',
        ends,
        data: {
          shoot: subject,
          failures,
          reasons,
          ...failure,
          failsSince: instantText(at),
          answered,
          ...(leftAlone === null ? {} : { leftAloneMs: leftAlone }),
        },
      });
    },
  });
}

function afterFailure(
  before: FailingProbes | undefined,
  failure: ProbeFailure,
  { notes, at }: FollowedTurn<ShootLanguage>,
): FailingProbes {
  const { failures = 0, reasons = {}, leftAlone = null } = before ?? {};
  const { reason } = failure;
  const said = notes.find((note) => note.kind === 'internalFailed');
  return {
    failures: failures + 1,
    lastAt: at,
    failure,
    reasons: { ...reasons, [reason]: (reasons[reason] ?? 0) + 1 },
    answered: false,
    leftAlone: said === undefined ? leftAlone : said.leftAloneUntil - at,
  };
}

/** `timeout 3, unreachable 1`. */
function reasonWords(reasons: FailingProbes['reasons']): string {
  return Object.entries(reasons)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

/** Follows the pauses of one shoot: it hibernates, is moved or deleted, or its Cluster cannot be read. One that rests when the program begins is none: it was never probed. `gone`: it ended with the shoot. */
export const followPauses = () =>
  followSpans<ShootLanguage, Pause & Readonly<{ gone: boolean }>>({
    kind: 'pause',
    steps([open], turn) {
      const { event, from, to } = turn;
      const gone = event.type === 'ended' && event.because === 'gone';
      if (open !== undefined) return gone || to !== 'idle' ? [{ one: { ...open.one, gone }, over: true }] : [];
      if (from === 'idle' || from === undefined || event.type === 'ended') return [];
      const pause = pauseIn(turn);
      return pause === undefined ? [] : [{ one: { ...pause, gone } }];
    },
    words({ reason, unreadable, gone }, span) {
      const { at, subject } = span.began;
      const why = pauseWords({ reason: firstLine(reason), unreadable });
      const how = gone ? 'gone' : 'probed again';
      return spanWords(span, {
        weight: unreadable ? 'grave' : 'notable',
        what: `not probed from ${clockWords(at)} on, because ${why}`,
        how,
        begins: 'paused',
        ends: how,
        data: { shoot: subject, reason, unreadable, pausedAt: instantText(at), gone },
      });
    },
  });
