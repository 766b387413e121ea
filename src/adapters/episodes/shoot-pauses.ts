import type { ShootLanguage } from '../../machines/kinds.ts';
import { nameOf } from '../turns/turn-name.ts';
import { clockWords, instantText } from '../words/plain-words.ts';
import type { ToldTurn } from './course.ts';
import { overWords, overWith, goesOn, firstLine, spanStages, textOf, type EpisodeWords, type Span } from './episode.ts';

/** A shoot that was probed, and is no longer: it hibernates, is moved or deleted, or its Cluster cannot be read. */
export type ShootPause = Span &
  Readonly<{
    reason: string;
    unreadable: boolean;
    /** It ended with the shoot. */
    gone: boolean;
  }>;

/** A shoot that rests when the program begins is none: it was never probed. */
export function nextPause(
  open: readonly ShootPause[],
  turn: ToldTurn<ShootLanguage>,
  run: string,
): readonly ShootPause[] {
  const { event, from, to, notes } = turn;
  const [pause] = open;
  if (pause === undefined) {
    if (to !== 'idle' || from === 'idle' || from === undefined || event.type === 'ended') return open;
    const said = notes.find((note) => note.kind === 'paused');
    return [
      {
        began: nameOf(turn, run),
        reason: said?.reason ?? 'it is no longer probed',
        unreadable: event.type === 'cluster.changed' && !event.reading.readable,
        ...goesOn,
        gone: false,
      },
    ];
  }
  const gone = event.type === 'ended' && event.because === 'gone';
  if (gone || to !== 'idle') return [{ ...pause, ...overWith(turn, run), gone }];
  return open;
}

export function pauseEpisode(pause: ShootPause): EpisodeWords {
  const { began, reason, unreadable, endedAt, gone } = pause;
  const why = unreadable ? `its Cluster cannot be read: ${firstLine(reason)}` : reason;
  const how = gone ? 'gone' : 'probed again';
  const end = endedAt === began.at ? '' : overWords(pause, how);
  return {
    weight: unreadable ? 'grave' : 'notable',
    sentence: `not probed from ${clockWords(began.at)} on, because ${why}${end}`,
    lines: [],
    stages: spanStages(pause, { begins: 'paused', ends: how }),
    data: {
      shoot: began.subject,
      reason,
      unreadable,
      pausedAt: instantText(began.at),
      endedAt: textOf(endedAt),
      gone,
    },
  };
}
