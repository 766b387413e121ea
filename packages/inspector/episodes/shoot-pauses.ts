import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { clockWords, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { firstLine } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { spanWords } from './follow-spans.ts';
import { followSpans } from './follow-spans.ts';

/** A shoot that was probed, and is no longer: it hibernates, is moved or deleted, or its Cluster cannot be read. `gone`: it ended with the shoot. */
type Pause = Readonly<{ reason: string; unreadable: boolean; gone: boolean }>;

/** Follows the pauses of one shoot. A shoot that rests when the program begins is none: it was never probed. */
export const followPauses = () =>
  followSpans<ShootLanguage, Pause>({
    kind: 'pause',
    steps([open], { event, from, to, notes }) {
      const gone = event.type === 'ended' && event.because === 'gone';
      if (open !== undefined) return gone || to !== 'idle' ? [{ one: { ...open.one, gone }, over: true }] : [];
      if (to !== 'idle' || from === 'idle' || from === undefined || event.type === 'ended') return [];
      const reason = notes.find((note) => note.kind === 'paused')?.reason ?? 'it is no longer probed';
      return [{ one: { reason, unreadable: event.type === 'cluster.changed' && !event.reading.readable, gone } }];
    },
    words({ reason, unreadable, gone }, span) {
      const { at, subject } = span.began;
      const why = unreadable ? `its Cluster cannot be read: ${firstLine(reason)}` : reason;
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
