import type { Languages, ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { clockWords, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { partWords } from 'dependency-watchdog/adapters/record/words/lease-words.ts';
import { shootNoteWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { followSpans, type SpanStep, spanWords } from './follow-spans.ts';
import { isEnded } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { hideSecrets } from 'dependency-watchdog/adapters/words/secrets.ts';
import { firstLine, type FollowedTurn } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { leaseWitness, Witnessed } from 'dependency-watchdog/adapters/record/facts/lease-witness.ts';
import { expiryFraction } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';

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
    rest: (note, turn) => (leavesLeases(turn) ? note : undefined),
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
  unjudged: 'begins',
  unjudgedOver: { ends: 'unjudged' },
  // Nothing tells when they are fewer again.
  leasesLeftOut: 'once',
  // Nothing tells when it has them all again.
  earlyProbesSpent: 'once',
};

/** What is cut off of a shoot, or late. `firstMarkAt`: when the first of its nodes may be marked; `passed`: it lasted so long. */
type Part = Readonly<{
  note: Extract<ShootNote, { kind: 'partialOutage' | 'renewalsLate' }>;
  firstMarkAt: Instant;
  passed: boolean;
  how: 'renewed again' | 'cut off as a whole' | 'not probed any more' | null;
}>;

/** Follows what is cut off of a shoot while the rest is not: a zone, a pool, or some nodes (SPEC 5.6, 5.7). `leases` hears each turn before. */
export const followPartialOutages = (leases: ReturnType<typeof leaseWitness>) =>
  followSpans<ShootLanguage, Part>({
    kind: 'partial',
    steps(open, { at, notes }) {
      const isCutOff = notes.some((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
      // What was late before is told with the part, and a part that grows is told anew.
      const isOver = ({ note: { kind } }: Part) =>
        notes.some((one) => one.kind === 'partialOutage' || one.kind === `${kind}Over`);
      const verdict = notes.find((note) => note.kind === 'verdict' && note.external === undefined);
      const isSilent = (verdict?.expired ?? 0) > 0 || notes.some(({ kind }) => kind === 'partialOutage');
      const isTold = open.length > 0 || notes.some(({ kind }) => kind === 'renewalsLate');
      const markedFrom = isSilent && isTold ? at + fromExpiryToMark(leases.account()) : Infinity;
      const told = open.flatMap(({ key, one }): SpanStep<Part>[] => {
        const firstMarkAt = Math.min(one.firstMarkAt, markedFrom);
        const next = { ...one, firstMarkAt, passed: one.passed || (isSilent && at > firstMarkAt) };
        if (isCutOff) return [{ key, one: { ...next, how: 'cut off as a whole' }, over: true }];
        if (isOver(one)) return [{ key, one: { ...next, how: 'renewed again' }, over: true }];
        return next.passed === one.passed && firstMarkAt === one.firstMarkAt ? [] : [{ key, one: next }];
      });
      const begun = notes.flatMap((note): SpanStep<Part>[] => {
        if (note.kind !== 'partialOutage' && note.kind !== 'renewalsLate') return [];
        const firstMarkAt = note.kind === 'partialOutage' ? note.firstMarkAt : markedFrom;
        return [{ key: note.kind, one: { note, firstMarkAt, passed: at > firstMarkAt, how: null } }];
      });
      return [...told, ...begun];
    },
    rest: (part, turn) => (leavesLeases(turn) ? { ...part, how: 'not probed any more' } : undefined),
    // Some leases are late before each outage, and what renews in time again was none.
    tells: ({ note, passed }) => note.kind === 'partialOutage' || passed,
    words({ note, passed, how }, span) {
      const { subject, at } = span.began;
      const { kind, ...said } = note;
      return spanWords(span, {
        weight: passed && kind === 'partialOutage' ? 'bad' : 'grave',
        what: `at ${clockWords(at)} ${shootNoteWords(note, at)}`,
        how: how ?? '',
        late: passed ? ', and nodes of it may have been marked' : '',
        brief: note.kind === 'partialOutage' ? partWords(note) : shootNoteWords(note, at).replace(/;.*/, ''),
        begins: 'cut off in part',
        ends: how ?? '',
        data: { shoot: subject, what: kind, ...said, mayHaveMarked: passed, since: instantText(at) },
      });
    },
  });

/** How long after a lease is expired its node is marked. */
function fromExpiryToMark(witnessed: Witnessed | undefined): Millis {
  return witnessed === undefined ? Infinity : witnessed.expiry * (1 / expiryFraction - 1);
}

/** Whoever begins again says it again, and so does who probes again. */
function leavesLeases({ event, from, to }: FollowedTurn<ShootLanguage>): boolean {
  const isOver = event.type === 'started' || (event.type === 'ended' && event.because === 'gone');
  return isOver || (to === 'idle' && from !== 'idle');
}

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
