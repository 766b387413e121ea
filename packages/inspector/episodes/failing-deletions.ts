import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { clockWords, counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { firstLine } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { spanWords } from './follow-spans.ts';
import { followSpans } from './follow-spans.ts';

/** Pods of one service that the seed does not let be deleted. `done`: one was deleted again; else the window closed before. */
type FailingDeletions = Readonly<{ pod: string; detail: string; tries: number; done: boolean }>;

/** Follows the deletions of one service that fail. */
export const followFailingDeletions = () =>
  followSpans<WeederLanguage, FailingDeletions>({
    kind: 'refusal',
    steps([open], { event, notes }) {
      const answer = event.type === 'deletion.answered' ? event.answer : undefined;
      const detail = answer === undefined ? undefined : detailOf(answer);
      if (event.type === 'deletion.answered' && detail !== undefined)
        return [{ one: { pod: event.asked.pod.name, detail, tries: (open?.one.tries ?? 0) + 1, done: false } }];
      const done = answer?.outcome === 'deleted';
      const isOver = done || event.type === 'ended' || notes.some(({ kind }) => kind === 'windowClosed');
      return open !== undefined && isOver ? [{ one: { ...open.one, done }, over: true }] : [];
    },
    words({ pod, detail, tries, done }, span) {
      const { subject, at } = span.began;
      const ends = done ? 'done' : 'needless';
      return spanWords(span, {
        weight: 'grave',
        what: `could not delete pod ${pod} from ${clockWords(at)} on, because the seed said: ${firstLine(detail)}`,
        how: done ? 'a pod was deleted' : 'its window was over',
        lines: [`${counted(tries, 'deletion')} failed`],
        begins: 'refused',
        ends,
        data: {
          service: subject,
          what: 'delete',
          pod,
          detail,
          tries,
          since: instantText(at),
          endedBy: span.endedAt === null ? undefined : ends,
        },
      });
    },
  });

function detailOf(answer: DeletionAnswer): string | undefined {
  if (answer.outcome === 'failed') return answer.detail;
  return answer.outcome === 'throttled' ? '429, too many requests' : undefined;
}
