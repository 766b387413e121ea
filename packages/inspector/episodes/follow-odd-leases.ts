import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { noteRow } from 'dependency-watchdog/adapters/record/facts/shoot-notes.ts';
import { clockWords, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shootNoteWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { spanWords } from './follow-spans.ts';
import { followSpans, type SpanStep } from './follow-spans.ts';

/** Follows what is odd about the leases of a shoot, by the note that said it when it began. It is told once; then its end. */
export const followOddLeases = () =>
  followSpans<ShootLanguage, ShootNote>({
    kind: 'oddLeases',
    steps(open, { notes }) {
      const steps: SpanStep<ShootNote>[] = [];
      const end = (kind: ShootNote['kind']): void => {
        const before = open.find(({ key }) => key === kind);
        if (before !== undefined) steps.push({ key: kind, one: before.one, over: true });
      };
      for (const note of notes) {
        const { odd } = noteRow(note);
        if (typeof odd === 'object') end(odd.ends);
        else if (odd !== undefined) {
          // Of another part of the shoot, or after turns that are missing.
          end(note.kind);
          steps.push({ key: note.kind, one: note, over: odd === 'once' });
        }
        // The clocks agree again.
        if (note.kind === 'verdict' && note.external === undefined && note.clockAhead === undefined)
          end('clockDiffers');
      }
      return steps;
    },
    // Whoever begins again says it again, and so does who probes again.
    rest(note, { event, from, to }) {
      const isOver = event.type === 'started' || (event.type === 'ended' && event.because === 'gone');
      return isOver || (to === 'idle' && from !== 'idle') ? note : undefined;
    },
    words(note, span) {
      const { subject, at } = span.began;
      const { kind, ...said } = note;
      return spanWords(span, {
        weight: 'notable',
        what: `at ${clockWords(at)} ${shootNoteWords(note, at)}`,
        how: 'over',
        begins: 'odd',
        ends: 'over',
        data: { shoot: subject, what: kind, ...said, since: instantText(at) },
      });
    },
  });
