import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import { nameOf, type TurnName } from '../turns/turn-name.ts';
import { clockWords, lengthWords } from '../words/length-words.ts';
import { counted, instantText } from '../words/plain-words.ts';
import type { ToldTurn } from './course.ts';
import { firstLine, stagesOf, type EpisodeWords } from './episode-parts.ts';

/** Probes of one shoot that failed, one after the other. */
export type FailingProbes = Readonly<{
  began: TurnName;
  failures: number;
  lastAt: Instant;
  /** The last one, and of which reasons there were how many. */
  failure: ProbeFailure;
  reasons: Readonly<Partial<Record<ProbeFailure['reason'], number>>>;
  endedAt: Instant | null;
  ended: TurnName | null;
  /** Whether it ended with an answer; else nothing is asked any more. */
  answered: boolean;
}>;

export function nextFailing(
  open: readonly FailingProbes[],
  turn: ToldTurn<ShootLanguage>,
  run: string,
): readonly FailingProbes[] {
  const { event, from, to, notes, at } = turn;
  const [before] = open;
  if (event.type === 'probe.failed' || event.type === 'candidates.failed') {
    const { failure } = event;
    const { reason } = failure;
    const reasons = { ...before?.reasons, [reason]: (before?.reasons[reason] ?? 0) + 1 };
    const failures = (before?.failures ?? 0) + 1;
    const began = before?.began ?? nameOf(turn, run);
    return [{ began, failures, lastAt: at, failure, reasons, endedAt: null, ended: null, answered: false }];
  }
  if (before === undefined) return open;
  const answered = notes.some(({ kind }) => kind === 'verdict');
  const left = (event.type === 'ended' && event.because === 'gone') || (to === 'idle' && from !== 'idle');
  if (!answered && !left) return open;
  return [{ ...before, endedAt: at, ended: nameOf(turn, run), answered }];
}

/** An API server that begins anew is away for some seconds. */
const newsAfter: Millis = 10_000;

/** One that failed alone is no news, nor are some within seconds. */
export function lasts({ failures, began, lastAt }: FailingProbes): boolean {
  return failures > 1 && lastAt - began.at >= newsAfter;
}

export function failingEpisode(failing: FailingProbes): EpisodeWords {
  const { began, failures, failure, reasons, endedAt, ended, answered } = failing;
  const how = answered ? 'answers again' : 'not asked any more';
  const end =
    endedAt === null ? '' : `; ${answered ? 'it answered again' : how} ${lengthWords(endedAt - began.at)} later`;
  const why = `because ${whyWords(failure)}`;
  return {
    weight: 'notable',
    sentence: `${counted(failures, 'probe')} in a row told nothing from ${clockWords(began.at)} on, ${why}${end}`,
    lines: Object.keys(reasons).length < 2 ? [] : [`reasons: ${reasonWords(reasons)}`],
    stages: stagesOf([
      { name: 'fails', at: began.at, turn: began },
      { name: how, at: endedAt, turn: ended },
    ]),
    data: {
      shoot: began.subject,
      failures,
      reasons,
      ...failure,
      failsSince: instantText(began.at),
      endedAt: endedAt === null ? undefined : instantText(endedAt),
      answered,
    },
  };
}

/** `the shoot does not answer: connection refused`. */
function whyWords({ stage, reason, detail }: ProbeFailure): string {
  const what = firstLine(detail);
  if (stage === 'machines') return `the seed does not list its Machines: ${what}`;
  if (reason === 'kubeconfig') return `nothing tells how to reach it: ${what}`;
  return `it ${reason === 'unreachable' || reason === 'timeout' ? 'does not answer' : 'gives no useful answer'}: ${what}`;
}

/** `timeout 3, unreachable 1`. */
function reasonWords(reasons: FailingProbes['reasons']): string {
  return Object.entries(reasons)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}
