import type { Instant } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';
import type { PlainOf } from '../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../journal/journal-line.ts';
import { nameOf, type TurnName } from '../turns/turn-name.ts';
import type { Episode, EpisodeKind, EpisodeWords, Span } from './episode.ts';

type AnyLanguage = Languages[keyof Languages];

/** A turn of a journal, which has no snapshots, or as it is taken, with both. */
export type FollowedTurn<Spoken extends AnyLanguage> = Omit<JournalTurnOf<Spoken>, 'from' | 'before'> &
  Readonly<{
    from?: Spoken['State'] | undefined;
    before?: PlainOf<Spoken> | undefined;
    after?: PlainOf<Spoken> | undefined;
  }>;

/** By kind, such turns. */
export type FollowedTurns = { [Kind in keyof Languages]: FollowedTurn<Languages[Kind]> };

/** What its turns have told so far of one thing that happens to a machine. `began`: the first turn that tells of it. */
type Happened = Readonly<{ began: TurnName; endedAt: Instant | null }>;

/** One episode, not yet put into words: most are never read. */
export type EpisodeDraft = Readonly<{
  /** Whatever of the same name happens to the same machine comes one after the other. */
  chain: string;
  id: string;
  kind: EpisodeKind;
  machine: keyof Languages;
  subject: string;
  beganAt: Instant;
  endedAt: Instant | null;
  episode(): Episode;
}>;

/** Follows one machine: every turn of it must pass, in order. `run`: of the process that took it. Gives what began, or changed, in that turn. */
export type Follower<Spoken extends AnyLanguage> = (turn: FollowedTurn<Spoken>, run: string) => readonly EpisodeDraft[];

type Following<Spoken extends AnyLanguage, One extends Happened> = Readonly<{
  kind: EpisodeKind;
  /** Those that go on after the turn, and those that it ended; the same list where it changed nothing. `open`: those that went on before it. */
  next(open: readonly One[], turn: FollowedTurn<Spoken>, run: string): readonly One[];
  /** Whether it is worth an episode yet; absent where it always is. */
  tells?(one: One): boolean;
  /** Absent where it began with its first turn. */
  beganAt?(one: One): Instant;
  words(one: One): EpisodeWords;
  /** Tells apart what may happen to one machine side by side. */
  key?(one: One): string;
}>;

const nothing: readonly never[] = [];

/** A follower of one kind of what may happen. A turn that changes nothing costs one call. */
export function follow<Spoken extends AnyLanguage, One extends Happened>({
  kind,
  next,
  tells = () => true,
  beganAt = ({ began }) => began.at,
  words,
  key = () => '',
}: Following<Spoken, One>): Follower<Spoken> {
  let open: readonly One[] = nothing;

  function draft(one: One): EpisodeDraft {
    const { began, endedAt } = one;
    const { kind: machine, subject, run, seq } = began;
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
    };
  }

  return (turn, run) => {
    const after = next(open, turn, run);
    if (after === open) return nothing;
    const before = open;
    open = after.every(({ endedAt }) => endedAt === null) ? after : after.filter(({ endedAt }) => endedAt === null);
    return after.filter((one) => !before.includes(one) && tells(one)).map(draft);
  };
}

/** A follower of all of these. */
export function followAll<Spoken extends AnyLanguage>(followers: readonly Follower<Spoken>[]): Follower<Spoken> {
  return (turn, run) => {
    let found: readonly EpisodeDraft[] = nothing;
    for (const follower of followers) {
      const one = follower(turn, run);
      if (one.length > 0) found = found.length === 0 ? one : [...found, ...one];
    }
    return found;
  };
}

type FollowingSpans<Spoken extends AnyLanguage, One> = Readonly<{
  kind: EpisodeKind;
  /** What the turn tells of those that go on, and of those that begin. */
  steps(open: readonly Lasting<One>[], turn: FollowedTurn<Spoken>): readonly SpanStep<One>[];
  /** How the turn ends one that goes on, whatever it is; undefined where it does not. Absent where none ends so. */
  rest?(one: One, turn: FollowedTurn<Spoken>): One | undefined;
  /** Whether it is worth an episode yet; absent where it always is. */
  tells?(one: One, span: Span): boolean;
  words(one: One, span: Span): EpisodeWords;
}>;

/** `key`: tells apart what may last side by side. `over`: it ends with this turn. */
export type SpanStep<One> = Readonly<{ one: One; key?: string; over?: boolean }>;

/** What lasts, and what is known of it. */
type Lasting<One> = Span & Readonly<{ key: string; one: One }>;

/** Follows what only begins and ends. */
export function followSpans<Spoken extends AnyLanguage, One>({
  kind,
  steps,
  rest,
  tells = () => true,
  words,
}: FollowingSpans<Spoken, One>): Follower<Spoken> {
  return follow<Spoken, Lasting<One>>({
    kind,
    key: ({ key }) => key,
    tells: (lasting) => tells(lasting.one, lasting),
    words: (lasting) => words(lasting.one, lasting),
    next(open, turn, run) {
      let next = open;
      const step = ({ one, key = '', over = false }: SpanStep<One>): void => {
        const name = nameOf(turn, run);
        const before = next.find((lasting) => lasting.key === key && lasting.endedAt === null);
        const end = over ? { endedAt: turn.at, ended: name } : { endedAt: null, ended: null };
        const after = { key, one, began: before?.began ?? name, ...end };
        next = before === undefined ? [...next, after] : next.map((lasting) => (lasting === before ? after : lasting));
      };
      steps(open, turn).forEach(step);
      for (const { key, one, endedAt } of next) {
        const end = endedAt === null ? rest?.(one, turn) : undefined;
        if (end !== undefined) step({ key, one: end, over: true });
      }
      return next;
    },
  });
}
