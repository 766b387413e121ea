import type { DependantKey } from '../../domain/prober/dependant.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { ShootCommands } from '../../machines/shoot-language.ts';
import { nameOf } from '../turns/turn-name.ts';
import { having, type ToldTurn } from './course.ts';
import { clockWords, counted, instantText } from '../words/plain-words.ts';
import { shortName } from '../words/shoot-words.ts';
import { toDoWords } from '../words/write-words.ts';
import { overWords, overWith, goesOn, firstLine, spanStages, textOf, type EpisodeWords, type Span } from './episode.ts';

/** What the seed refuses, or fails to do, with one dependant: a write, or to be read. */
export type ShootRefusal = Span &
  Readonly<{
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

type ShootTurn = ToldTurn<ShootLanguage>;

export function nextRefusals(open: readonly ShootRefusal[], turn: ShootTurn, run: string): readonly ShootRefusal[] {
  return ended(answered(noted(open, turn, run), turn, run), turn, run);
}

function noted(open: readonly ShootRefusal[], turn: ShootTurn, run: string): readonly ShootRefusal[] {
  let next = open;
  for (const note of turn.notes)
    if (note.kind === 'dependantRefused') next = refused(next, turn, run, { ...note, asked: null });
  return next;
}

function answered(open: readonly ShootRefusal[], turn: ShootTurn, run: string): readonly ShootRefusal[] {
  const { event } = turn;
  const isDone = (key: DependantKey, isWrite: boolean) =>
    done(open, turn, run, (one) => one.key === key && (one.asked !== null) === isWrite);
  switch (event.type) {
    case 'scale.answered': {
      const { asked, answer } = event;
      if (answer.outcome === 'failed')
        return refused(open, turn, run, { key: asked.key, detail: answer.detail, asked });
      return answer.outcome === 'written' ? isDone(asked.key, true) : open;
    }
    case 'read.answered':
      return event.answer.outcome === 'read' ? isDone(event.asked.key, false) : open;
    case 'dependant.changed':
      return isDone(event.key, false);
    case 'started':
    case 'ended':
    case 'woken':
    case 'cluster.changed':
    case 'cluster.gone':
    case 'cluster.watched':
    case 'dependant.watched':
    case 'probe.answered':
    case 'probe.failed':
    case 'probe.reserved':
    case 'candidates.answered':
    case 'candidates.failed':
    case 'path.answered':
    case 'cluster.answered':
      return open;
  }
}

function refused(
  open: readonly ShootRefusal[],
  turn: ShootTurn,
  run: string,
  { key, detail, asked }: Pick<ShootRefusal, 'key' | 'detail' | 'asked'>,
): readonly ShootRefusal[] {
  const before = open.find((one) => one.key === key && (one.asked === null) === (asked === null));
  const { began = nameOf(turn, run), tries = 0, overdue = false } = before ?? {};
  const late = asked?.urgent === true && asked.by !== undefined && turn.at > asked.by;
  const told = { began, key, asked, detail, tries: tries + 1, overdue: overdue || late };
  return having(open, before, { ...told, ...goesOn, how: null });
}

function done(
  open: readonly ShootRefusal[],
  turn: ShootTurn,
  run: string,
  which: (one: ShootRefusal) => boolean,
): readonly ShootRefusal[] {
  const one = open.find((each) => each.endedAt === null && which(each));
  if (one === undefined) return open;
  const isLate = one.asked?.urgent === true && one.asked.by !== undefined && turn.at > one.asked.by;
  const overdue = one.overdue || isLate;
  return having(open, one, { ...one, overdue, ...overWith(turn, run), how: 'done' });
}

/** Nothing is written any more once nothing is wanted. A machine that begins afresh still wants it. */
function ended(open: readonly ShootRefusal[], turn: ShootTurn, run: string): readonly ShootRefusal[] {
  if (open.length === 0) return open;
  const { event, from, to, at } = turn;
  const gone = event.type === 'ended' && event.because === 'gone';
  const began = event.type === 'started' || event.type === 'ended';
  const rests = !began && from !== to && (to === 'probing' || to === 'idle');
  if (!gone && !rests) return open;
  const name = nameOf(turn, run);
  return open.map((one) =>
    one.endedAt === null && (gone || one.asked !== null) ? { ...one, endedAt: at, ended: name, how: 'needless' } : one,
  );
}

/** A refusal as an episode: what could not be done, because of which answer, and how it ended. */
export function refusalEpisode(refusal: ShootRefusal): EpisodeWords {
  const { began, key, asked, detail, tries, overdue, endedAt, how } = refusal;
  const what = asked === null ? `${shortName(key)} may not be read` : `could not ${toDoWords(shortName(key), asked)}`;
  const late = overdue ? ', when a node may have been marked already' : '';
  const end = overWords(refusal, endWords(refusal));
  return {
    weight: overdue ? 'bad' : 'grave',
    sentence: `${what} from ${clockWords(began.at)} on, because the seed said: ${firstLine(detail)}${end}${late}`,
    lines: asked === null ? [] : [`${counted(tries, 'try').replace('trys', 'tries')} failed`],
    stages: spanStages(refusal, { begins: 'refused', ends: how === 'done' ? 'done' : 'needless' }),
    data: {
      shoot: began.subject,
      dependant: key,
      what: asked === null ? 'read' : 'write',
      detail,
      tries,
      overdue,
      since: instantText(began.at),
      endedAt: textOf(endedAt),
      endedBy: how ?? undefined,
    },
  };
}

function endWords({ asked, how }: ShootRefusal): string {
  if (how === 'needless') return 'nobody wanted it any more';
  return asked === null ? 'it could be read' : 'it was written';
}
