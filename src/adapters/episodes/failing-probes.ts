import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import { nameOf } from '../turns/turn-name.ts';
import { unansweredWords } from '../words/path-words.ts';
import { clockWords, lengthWords, counted, instantText } from '../words/plain-words.ts';
import { pathProbes } from '../turns/path-probes.ts';
import { follow, type Course, type ToldTurn } from './course.ts';
import { overWords, overWith, goesOn, firstLine, spanStages, textOf, type EpisodeWords, type Span } from './episode.ts';

/** Probes of one shoot that failed, one after the other. */
type FailingProbes = Span &
  Readonly<{
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

/** Follows the probes of one shoot that tell nothing. */
export function failingCourse(): Course<ShootLanguage, 'unreachable'> {
  const paths = pathProbes();
  return follow<ShootLanguage, FailingProbes, 'unreachable'>({
    kind: 'unreachable',
    next: (open, turn, run) => nextFailing(open, turn, run, paths.observe(turn)),
    tells: lasts,
    words: failingEpisode,
  });
}

/** `untold`: why a probe of two paths told nothing that ended in this turn. */
function nextFailing(
  open: readonly FailingProbes[],
  turn: ToldTurn<ShootLanguage>,
  run: string,
  untold: ProbeFailure | undefined,
): readonly FailingProbes[] {
  const { event, from, to, notes, at } = turn;
  const [before] = open;
  const failure = event.type === 'probe.failed' || event.type === 'candidates.failed' ? event.failure : untold;
  if (failure !== undefined) {
    const { reason } = failure;
    const reasons = { ...before?.reasons, [reason]: (before?.reasons[reason] ?? 0) + 1 };
    const failures = (before?.failures ?? 0) + 1;
    const began = before?.began ?? nameOf(turn, run);
    const said = notes.find((note) => note.kind === 'internalFailed');
    const leftAlone = said === undefined ? (before?.leftAlone ?? null) : said.leftAloneUntil - at;
    return [{ began, failures, lastAt: at, failure, reasons, ...goesOn, answered: false, leftAlone }];
  }
  if (before === undefined) return open;
  const answered = notes.some(({ kind }) => kind === 'verdict' || kind === 'leasesInDoubt');
  const left = (event.type === 'ended' && event.because === 'gone') || (to === 'idle' && from !== 'idle');
  if (!answered && !left) return open;
  return [{ ...before, ...overWith(turn, run), answered }];
}

/** An API server that begins anew is away for some seconds. */
const newsAfter: Millis = 10_000;

/** One that failed alone is no news, nor are some within seconds, unless the shoot is left alone by them. */
function lasts({ failures, began, lastAt, leftAlone }: FailingProbes): boolean {
  return leftAlone !== null || (failures > 1 && lastAt - began.at >= newsAfter);
}

function failingEpisode(failing: FailingProbes): EpisodeWords {
  const { began, failures, failure, reasons, endedAt, answered, leftAlone } = failing;
  const how = answered ? 'answers again' : 'not asked any more';
  const end = overWords(failing, answered ? 'it answered again' : how);
  const why = `because ${whyWords(failure)}`;
  return {
    weight: 'notable',
    sentence: `${counted(failures, 'probe')} in a row told nothing from ${clockWords(began.at)} on, ${why}${end}`,
    lines: [
      ...(Object.keys(reasons).length < 2 ? [] : [`reasons: ${reasonWords(reasons)}`]),
      ...(leftAlone === null ? [] : [`left alone for ${lengthWords(leftAlone)} after each failure`]),
    ],
    stages: spanStages(failing, { begins: 'fails', ends: how }),
    data: {
      shoot: began.subject,
      failures,
      reasons,
      ...failure,
      failsSince: instantText(began.at),
      endedAt: textOf(endedAt),
      answered,
      ...(leftAlone === null ? {} : { leftAloneMs: leftAlone }),
    },
  };
}

/** `it does not answer: connection refused`. */
function whyWords({ stage, reason, detail }: ProbeFailure): string {
  const what = firstLine(detail);
  if (stage === 'machines') return `the seed does not list its Machines: ${what}`;
  const who = stage === 'internal' || stage === 'external' ? `its ${stage} path` : 'it';
  if (reason === 'kubeconfig') return `nothing tells how to reach ${who}: ${what}`;
  if (reason === 'local') return `${who} could not be asked, which is no fault of the shoot: ${what}`;
  return `${who} ${unansweredWords(stage, reason)}: ${what}`;
}

/** `timeout 3, unreachable 1`. */
function reasonWords(reasons: FailingProbes['reasons']): string {
  return Object.entries(reasons)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}
