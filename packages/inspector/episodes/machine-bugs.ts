import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { isEnded } from 'dependency-watchdog/adapters/record/facts/runtime-events.ts';
import { clockWords, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { hideSecrets } from 'dependency-watchdog/adapters/words/secrets.ts';
import { firstLine } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { spanWords } from './follow-spans.ts';
import { followSpans } from './follow-spans.ts';

/** A bug of ours: a machine that it ended, until it begins afresh; or a probe that was never answered. */
type Bug =
  | Readonly<{ kind: 'ended'; error: string; met: string | undefined }>
  | Readonly<{ kind: 'probeLost'; number: number }>;

/** Enough to see where it was. */
const mostOfTrace = 6;

/** Follows the bugs that one machine meets. */
export const followBugs = <Spoken extends Languages[keyof Languages]>() =>
  followSpans<Spoken, Bug>({
    kind: 'bug',
    steps([open], { event, notes }) {
      if (event.type === 'ended' && isEnded(event) && event.because === 'bug') {
        const { error = 'unknown', during } = event;
        return [{ key: 'ended', one: { kind: 'ended', error, met: during?.type } }];
      }
      if (open !== undefined)
        return event.type === 'started' || event.type === 'ended' ? [{ key: open.key, one: open.one, over: true }] : [];
      const lost = notes.find(isProbeLost);
      return lost === undefined
        ? []
        : [{ key: 'probeLost', one: { kind: 'probeLost', number: lost.number }, over: true }];
    },
    words(bug, span) {
      const { subject, at } = span.began;
      const data = { subject, what: bug.kind, at: instantText(at) };
      const how = 'it began afresh';
      if (bug.kind === 'probeLost')
        return spanWords(span, {
          weight: 'bad',
          what: `probe ${bug.number} had no answer at ${clockWords(at)}, not even a failure, because of a bug of the watchdog`,
          how,
          begins: 'lost',
          ends: 'lost',
          data: { ...data, number: bug.number },
        });
      // Whatever threw may have had anything in its hands.
      const error = hideSecrets(bug.error);
      const met = bug.met === undefined ? '' : ` at ${bug.met}`;
      return spanWords(span, {
        weight: 'bad',
        what: `the work on it ended at ${clockWords(at)}, because of a bug of the watchdog${met}: ${firstLine(error)}`,
        how,
        lines: error
          .split('\n')
          .slice(1, mostOfTrace)
          .map((line) => firstLine(line.trim())),
        begins: 'ended',
        ends: 'begun afresh',
        data: { ...data, error, met: bug.met },
      });
    },
  });

function isProbeLost(note: Readonly<{ kind: string }>): note is Readonly<{ kind: 'probeLost'; number: number }> {
  return note.kind === 'probeLost';
}
