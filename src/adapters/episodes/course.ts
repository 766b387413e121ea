import type { Instant } from '../../domain/time.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
import type { Language, PlainOf } from '../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../journal/journal-line.ts';
import type { TurnName } from '../turns/turn-name.ts';
import type { Episode, EpisodeWords } from './episode.ts';

/** A turn of a journal, which has no snapshots, or as it is taken, with both. */
export type ToldTurn<Spoken extends Language> = Omit<JournalTurnOf<Spoken>, 'from' | 'before'> &
  Readonly<{
    from?: Spoken['State'] | undefined;
    before?: PlainOf<Spoken> | undefined;
    after?: PlainOf<Spoken> | undefined;
  }>;

/** By kind, such turns. */
export type ToldTurns<Spoken extends LanguageMap<Spoken>> = { [Kind in keyof Spoken]: ToldTurn<Spoken[Kind]> };

/** What its turns have told so far of one thing that happens to a machine. `began`: the first turn that tells of it. */
export type Happened = Readonly<{ began: TurnName<string>; endedAt: Instant | null }>;

/** One episode, not yet put into words: most are never read. */
export type Happening<Kind extends string = string, Machine extends string = string> = Readonly<{
  /** Whatever of the same name happens to the same machine comes one after the other. */
  chain: string;
  id: string;
  kind: Kind;
  machine: Machine;
  subject: string;
  beganAt: Instant;
  endedAt: Instant | null;
  episode(): Episode<Kind, Machine>;
  /** As the summary of a replay has it, where that sums up such: lines for people, the first of which names the machine. */
  summary?(): readonly string[];
}>;

/** Follows one machine: every turn of it must pass, in order. `run`: of the process that took it. Gives what began, or changed, in that turn. */
export type Course<Spoken extends Language, Kind extends string = string> = (
  turn: ToldTurn<Spoken>,
  run: string,
) => readonly Happening<Kind, Spoken['Kind']>[];

type Following<Spoken extends Language, One extends Happened, Kind extends string> = Readonly<{
  kind: Kind;
  /** Those that go on after the turn, and those that it ended; the same list where it changed nothing. `open`: those that went on before it. */
  next(open: readonly One[], turn: ToldTurn<Spoken>, run: string): readonly One[];
  /** Whether it is worth an episode yet; absent where it always is. */
  tells?(one: One): boolean;
  /** Absent where it began with its first turn. */
  beganAt?(one: One): Instant;
  words(one: One): EpisodeWords;
  summary?(one: One): readonly string[];
  /** Tells apart what may happen to one machine side by side. */
  key?(one: One): string;
}>;

const nothing: readonly never[] = [];

/** A course that follows one kind of what may happen. A turn that changes nothing costs one call. */
export function follow<Spoken extends Language, One extends Happened, Kind extends string>({
  kind,
  next,
  tells = () => true,
  beganAt = ({ began }) => began.at,
  words,
  summary,
  key = () => '',
}: Following<Spoken, One, Kind>): Course<Spoken, Kind> {
  let open: readonly One[] = nothing;

  function happening(one: One): Happening<Kind, Spoken['Kind']> {
    const { began, endedAt } = one;
    const machine: Spoken['Kind'] = began.kind;
    const { subject, run, seq } = began;
    const chain = [machine, subject, kind, key(one)].filter((part) => part !== '').join(' ');
    const id = `${chain} ${run}.${seq}`;
    const head = { kind, machine, subject, id, beganAt: beganAt(one), endedAt };
    return {
      ...head,
      chain,
      episode() {
        const { weight, sentence, lines, stages, turn = began, data } = words(one);
        return { ...head, weight, sentence, lines, stages, turn, data };
      },
      ...(summary === undefined ? {} : { summary: () => summary(one) }),
    };
  }

  return (turn, run) => {
    const after = next(open, turn, run);
    if (after === open) return nothing;
    const before = open;
    open = after.every(({ endedAt }) => endedAt === null) ? after : after.filter(({ endedAt }) => endedAt === null);
    return after.filter((one) => !before.includes(one) && tells(one)).map(happening);
  };
}

/** A course that follows all of these. */
export function followAll<Spoken extends Language, Kind extends string>(
  courses: readonly Course<Spoken, Kind>[],
): Course<Spoken, Kind> {
  return (turn, run) => {
    let found: readonly Happening<Kind, Spoken['Kind']>[] = nothing;
    for (const course of courses) {
      const one = course(turn, run);
      if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
    }
    return found;
  };
}

/** Replaces one of a list, or adds it. */
export function having<One>(list: readonly One[], before: One | undefined, after: One): readonly One[] {
  if (before === after) return list;
  return before === undefined ? [...list, after] : list.map((one) => (one === before ? after : one));
}
