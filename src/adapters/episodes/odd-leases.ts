import type { ShootLanguage } from '../../machines/kinds.ts';
import type { ShootNote } from '../../machines/shoot-language.ts';
import { noteRow } from '../turns/shoot-notes.ts';
import { nameOf } from '../turns/turn-name.ts';
import { clockWords, instantText } from '../words/plain-words.ts';
import { shootNoteWords } from '../words/shoot-words.ts';
import { having, type ToldTurn } from './course.ts';
import { overWords, overWith, goesOn, spanStages, textOf, type EpisodeWords, type Span } from './episode.ts';

/** A time in which something was odd about the leases of a shoot. `note`: as it was said when it began. */
export type OddTime = Span & Readonly<{ note: ShootNote }>;

/** What was odd is told once; then its end. */
export function nextOddLeases(
  open: readonly OddTime[],
  turn: ToldTurn<ShootLanguage>,
  run: string,
): readonly OddTime[] {
  const { event, from, to, notes } = turn;
  let next = open;
  const end = (kind: ShootNote['kind']): void => {
    const before = next.find((one) => one.note.kind === kind);
    if (before !== undefined) next = having(next, before, { ...before, ...overWith(turn, run) });
  };
  for (const note of notes) {
    const { odd } = noteRow(note);
    if (typeof odd === 'object') end(odd.ends);
    else if (odd === 'once' || (odd === 'begins' && !next.some((one) => one.note.kind === note.kind)))
      next = [...next, { began: nameOf(turn, run), note, ...(odd === 'once' ? overWith(turn, run) : goesOn) }];
    // The clocks agree again.
    if (note.kind === 'verdict' && note.external === undefined && note.clockAhead === undefined) end('clockDiffers');
  }
  if (next.length === 0) return next;
  // Whoever begins again says it again, and so does who probes again.
  const over = event.type === 'started' || (event.type === 'ended' && event.because === 'gone');
  if (!over && (to !== 'idle' || from === 'idle')) return next;
  return next.map((one) => (one.endedAt === null ? { ...one, ...overWith(turn, run) } : one));
}

export function oddLeasesEpisode(odd: OddTime): EpisodeWords {
  const { began, note, endedAt } = odd;
  const isOverAtOnce = endedAt === began.at;
  const lasted = isOverAtOnce ? '' : overWords(odd, 'over');
  const { kind, ...told } = note;
  return {
    weight: 'notable',
    sentence: `at ${clockWords(began.at)} ${shootNoteWords(note, began.at)}${lasted}`,
    lines: [],
    stages: spanStages(isOverAtOnce ? { ...odd, ...goesOn } : odd, { begins: 'odd', ends: 'over' }),
    data: {
      shoot: began.subject,
      what: kind,
      ...told,
      since: instantText(began.at),
      endedAt: textOf(endedAt),
    },
  };
}
