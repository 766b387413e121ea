import type { Language } from '../../machines/pure-machine.ts';
import { nameOf } from '../turns/turn-name.ts';
import { isEnded } from '../turns/runtime-events.ts';
import { clockWords, instantText } from '../words/plain-words.ts';
import { hideSecrets } from '../words/secrets.ts';
import type { ToldTurn } from './course.ts';
import {
  overWords,
  overWith,
  goesOn,
  firstLine,
  spanStages,
  stagesOf,
  textOf,
  type EpisodeWords,
  type Span,
} from './episode.ts';

/** A bug of ours: a machine that it ended, or a probe that was never answered. */
export type MachineBug = Span<string> &
  Readonly<{
    what:
      | Readonly<{ kind: 'ended'; error: string; met: string | undefined }>
      | Readonly<{ kind: 'probeLost'; number: number }>;
    /** When the machine began afresh. */
  }>;

export function nextBugs<Spoken extends Language>(
  open: readonly MachineBug[],
  turn: ToldTurn<Spoken>,
  run: string,
): readonly MachineBug[] {
  const { event, notes, at } = turn;
  if (event.type === 'ended' && isEnded(event) && event.because === 'bug') {
    const { error = 'unknown', during } = event;
    return [{ began: nameOf(turn, run), what: { kind: 'ended', error, met: during?.type }, ...goesOn }];
  }
  const [before] = open;
  if (before !== undefined)
    return event.type === 'started' || event.type === 'ended' ? [{ ...before, ...overWith(turn, run) }] : open;
  const lost = notes.find(isProbeLost);
  if (lost === undefined) return open;
  const name = nameOf(turn, run);
  return [{ began: name, what: { kind: 'probeLost', number: lost.number }, endedAt: at, ended: name }];
}

function isProbeLost(note: Readonly<{ kind: string }>): note is Readonly<{ kind: 'probeLost'; number: number }> {
  return note.kind === 'probeLost';
}

export function bugEpisode(bug: MachineBug): EpisodeWords {
  const { began, what, endedAt } = bug;
  const data = { subject: began.subject, what: what.kind, at: instantText(began.at) };
  if (what.kind === 'probeLost')
    return {
      weight: 'bad',
      sentence: `probe ${what.number} had no answer at ${clockWords(began.at)}, not even a failure, because of a bug of the watchdog`,
      lines: [],
      stages: stagesOf([{ name: 'lost', at: began.at, turn: began }]),
      data: { ...data, number: what.number },
    };
  // Whatever threw may have had anything in its hands.
  const error = hideSecrets(what.error);
  const met = what.met === undefined ? '' : ` at ${what.met}`;
  const end = overWords(bug, 'it began afresh');
  return {
    weight: 'bad',
    sentence: `the work on it ended at ${clockWords(began.at)}, because of a bug of the watchdog${met}: ${firstLine(error)}${end}`,
    lines: error
      .split('\n')
      .slice(1, mostOfTrace)
      .map((line) => firstLine(line.trim())),
    stages: spanStages(bug, { begins: 'ended', ends: 'begun afresh' }),
    data: { ...data, error, met: what.met, endedAt: textOf(endedAt) },
  };
}

/** Enough to see where it was. */
const mostOfTrace = 6;
