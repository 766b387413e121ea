import type { DeletionAnswer } from '../../domain/weeder/pod-ledger.ts';
import type { WeederLanguage } from '../../machines/kinds.ts';
import { nameOf } from '../turns/turn-name.ts';
import { clockWords, counted, instantText } from '../words/plain-words.ts';
import type { ToldTurn } from './course.ts';
import { overWords, overWith, goesOn, firstLine, spanStages, textOf, type EpisodeWords, type Span } from './episode.ts';

/** Pods of one service that the seed does not let be deleted. */
export type FailingDeletions = Span &
  Readonly<{
    pod: string;
    detail: string;
    tries: number;
    /** Whether one was deleted again; else the window closed before. */
    done: boolean;
  }>;

export function nextFailingDeletions(
  open: readonly FailingDeletions[],
  turn: ToldTurn<WeederLanguage>,
  run: string,
): readonly FailingDeletions[] {
  const { event, notes } = turn;
  const [before] = open;
  if (event.type === 'deletion.answered') {
    const detail = detailOf(event.answer);
    if (detail !== undefined) {
      const { began = nameOf(turn, run), tries = 0 } = before ?? {};
      return [{ began, pod: event.asked.pod.name, detail, tries: tries + 1, ...goesOn, done: false }];
    }
  }
  if (before === undefined) return open;
  const done = event.type === 'deletion.answered' && event.answer.outcome === 'deleted';
  const over = event.type === 'ended' || notes.some(({ kind }) => kind === 'windowClosed');
  return done || over ? [{ ...before, ...overWith(turn, run), done }] : open;
}

function detailOf(answer: DeletionAnswer): string | undefined {
  if (answer.outcome === 'failed') return answer.detail;
  return answer.outcome === 'throttled' ? '429, too many requests' : undefined;
}

export function failingDeletionsEpisode(failing: FailingDeletions): EpisodeWords {
  const { began, pod, detail, tries, endedAt, done } = failing;
  const how = done ? 'a pod was deleted' : 'its window was over';
  const end = overWords(failing, how);
  return {
    weight: 'grave',
    sentence: `could not delete pod ${pod} from ${clockWords(began.at)} on, because the seed said: ${firstLine(detail)}${end}`,
    lines: [`${counted(tries, 'deletion')} failed`],
    stages: spanStages(failing, { begins: 'refused', ends: done ? 'done' : 'needless' }),
    data: {
      service: began.subject,
      what: 'delete',
      pod,
      detail,
      tries,
      since: instantText(began.at),
      endedAt: textOf(endedAt),
      endedBy: endedAt === null ? undefined : done ? 'done' : 'needless',
    },
  };
}
