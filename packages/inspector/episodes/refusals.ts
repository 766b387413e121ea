import type { DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootLanguage, WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootCommands } from 'dependency-watchdog/machines/shoot-language.ts';
import { clockWords, counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shortName, toDoWords, whyNotWritten } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { firstLine } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { followSpans, type SpanStep, spanWords } from './follow-spans.ts';
import { whyNotDeleted } from 'dependency-watchdog/adapters/record/words/weeder-words.ts';

/** What the seed refuses, or fails to do, with one dependant: a write, or to be read. */
type Refusal = Readonly<{
  key: DependantKey;
  /** The write that was tried last; null where it may not be read. */
  asked: ShootCommands['scale'] | null;
  /** What the seed said last. */
  detail: string;
  tries: number;
  /** A scale-down was not done when the first node's mark was due. */
  overdue: boolean;
  /** `done`: it was written, or may be read. `needless`: nobody wants it any more. */
  how: 'done' | 'needless' | null;
}>;

/** Follows what the seed refuses of one shoot. */
export const followRefusals = () =>
  followSpans<ShootLanguage, Refusal>({
    kind: 'refusal',
    steps(open, { at, event, notes }) {
      /** Without `detail` it was done, which is news only of what was refused before. */
      const told = (key: DependantKey, asked: Refusal['asked'], detail?: string): readonly SpanStep<Refusal>[] => {
        const name = `${asked === null ? 'read' : 'write'} ${key}`;
        const before = open.find((lasting) => lasting.key === name)?.one;
        if (detail === undefined) {
          if (before === undefined) return [];
          return [
            { key: name, one: { ...before, overdue: isOverdue(before, before.asked, at), how: 'done' }, over: true },
          ];
        }
        const tries = (before?.tries ?? 0) + 1;
        return [{ key: name, one: { key, asked, detail, tries, overdue: isOverdue(before, asked, at), how: null } }];
      };
      const refused = notes.flatMap((note) =>
        note.kind === 'dependantRefused' ? told(note.key, null, note.detail) : [],
      );
      if (event.type === 'dependant.changed') return [...refused, ...told(event.key, null)];
      if (event.type === 'read.answered' && event.answer.outcome === 'read')
        return [...refused, ...told(event.asked.key, null)];
      if (event.type !== 'scale.answered') return refused;
      const { asked, answer } = event;
      const detail = whyNotWritten(asked, answer);
      const tells = detail !== undefined || answer.outcome === 'written';
      return tells ? [...refused, ...told(asked.key, asked, detail)] : refused;
    },
    // Nothing is written any more once nothing is wanted. A machine that begins afresh still wants it.
    rest(refusal, { event, from, to }) {
      const gone = event.type === 'ended' && event.because === 'gone';
      const began = event.type === 'started' || event.type === 'ended';
      const rests = !began && from !== to && (to === 'probing' || to === 'idle');
      return gone || (rests && refusal.asked !== null) ? { ...refusal, how: 'needless' } : undefined;
    },
    words({ key, asked, detail, tries, overdue, how }, span) {
      const { subject, at } = span.began;
      const name = shortName(key);
      const what = asked === null ? `${name} may not be read` : `could not ${toDoWords(name, asked)}`;
      const done = asked === null ? 'it could be read' : 'it was written';
      return spanWords(span, {
        weight: overdue ? 'bad' : 'grave',
        what: `${what} from ${clockWords(at)} on, because the seed said: ${firstLine(detail)}`,
        how: how === 'needless' ? 'nobody wanted it any more' : done,
        late: overdue ? ', when a node may have been marked already' : '',
        lines: asked === null ? [] : [`${counted(tries, 'try').replace('trys', 'tries')} failed`],
        begins: 'refused',
        ends: how === 'done' ? 'done' : 'needless',
        data: {
          shoot: subject,
          dependant: key,
          what: asked === null ? 'read' : 'write',
          detail,
          tries,
          overdue,
          since: instantText(at),
          endedBy: how ?? undefined,
        },
      });
    },
  });

function isOverdue(before: Refusal | undefined, asked: Refusal['asked'], at: Instant): boolean {
  return before?.overdue === true || (asked?.urgent === true && asked.by !== undefined && at > asked.by);
}

/** Pods of one service that the seed does not let be deleted. `done`: one was deleted again; else the window closed before. */
type FailingDeletions = Readonly<{ pod: string; detail: string; tries: number; done: boolean }>;

/** Follows the deletions of one service that fail. */
export const followFailingDeletions = () =>
  followSpans<WeederLanguage, FailingDeletions>({
    kind: 'refusal',
    steps([open], { event, notes }) {
      const answer = event.type === 'deletion.answered' ? event.answer : undefined;
      const detail = answer === undefined ? undefined : whyNotDeleted(answer);
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
