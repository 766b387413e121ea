import type { Instant } from '../../domain/time.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { ShootNote } from '../../machines/shoot-language.ts';
import { noteRow } from '../turns/shoot-notes.ts';
import { nameOf, type TurnName } from '../turns/turn-name.ts';
import { clockWords, lengthWords, instantText } from '../words/plain-words.ts';
import { shootNoteWords } from '../words/shoot-words.ts';
import { having, type ToldTurn } from './course.ts';
import { spanStages, textOf, type EpisodeWords } from './episode.ts';

/** A time in which something was odd about the leases of a shoot. */
export type OddSpell = Readonly<{
  began: TurnName;
  /** As it was said when it began. */
  note: ShootNote;
  endedAt: Instant | null;
  ended: TurnName | null;
}>;

/** What was odd is told once; then its end. */
export function nextOddSpells(
  open: readonly OddSpell[],
  turn: ToldTurn<ShootLanguage>,
  run: string,
): readonly OddSpell[] {
  const { event, from, to, notes, at } = turn;
  let next = open;
  const end = (kind: ShootNote['kind']): void => {
    const spell = next.find((one) => one.note.kind === kind);
    if (spell !== undefined) next = having(next, spell, { ...spell, endedAt: at, ended: nameOf(turn, run) });
  };
  for (const note of notes) {
    const { odd } = noteRow(note);
    const began = nameOf(turn, run);
    if (odd === 'once') next = [...next, { began, note, endedAt: at, ended: began }];
    else if (odd === 'begins') {
      if (!next.some((one) => one.note.kind === note.kind))
        next = [...next, { began, note, endedAt: null, ended: null }];
    } else if (odd !== undefined) end(odd.ends);
    // The clocks agree again.
    if (note.kind === 'verdict' && note.external === undefined && note.clockAhead === undefined) end('clockDiffers');
  }
  if (next.length === 0) return next;
  // Whoever begins again says it again, and so does who probes again.
  const over = event.type === 'started' || (event.type === 'ended' && event.because === 'gone');
  if (!over && (to !== 'idle' || from === 'idle')) return next;
  const ended = nameOf(turn, run);
  return next.map((one) => (one.endedAt === null ? { ...one, endedAt: at, ended } : one));
}

export function oddSpellEpisode({ began, note, endedAt, ended }: OddSpell): EpisodeWords {
  const lasted = endedAt === null || endedAt === began.at ? '' : `; over ${lengthWords(endedAt - began.at)} later`;
  const { kind, ...told } = note;
  return {
    weight: 'notable',
    sentence: `at ${clockWords(began.at)} ${shootNoteWords(note, began.at)}${lasted}`,
    lines: [],
    stages: spanStages(
      { began, endedAt: endedAt === began.at ? null : endedAt, ended },
      { begins: 'odd', ends: 'over' },
    ),
    data: {
      shoot: began.subject,
      what: kind,
      ...told,
      since: instantText(began.at),
      endedAt: textOf(endedAt),
    },
  };
}
