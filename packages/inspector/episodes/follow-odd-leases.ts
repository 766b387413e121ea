import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { clockWords, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { shootNoteWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { type SpanStep, followSpans, spanWords } from './follow-spans.ts';

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
        const odd = oddNotes[note.kind];
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

/** It begins a time in which something is odd about the leases, is all of it, or ends the one that such a note began. */
type Odd = 'begins' | 'once' | Readonly<{ ends: ShootNote['kind'] }>;

const oddNotes: Readonly<Partial<Record<ShootNote['kind'], Odd>>> = {
  clockDiffers: 'begins',
  leasesAhead: 'begins',
  leasesAheadOver: { ends: 'leasesAhead' },
  leasesNotRenewed: 'begins',
  leasesNotRenewedOver: { ends: 'leasesNotRenewed' },
  partialOutage: 'begins',
  partialOutageOver: { ends: 'partialOutage' },
  unjudged: 'begins',
  unjudgedOver: { ends: 'unjudged' },
  // Nothing tells when they are fewer again.
  leasesLeftOut: 'once',
  // Nothing tells when it has them all again.
  earlyProbesSpent: 'once',
};
