import {
  type EpisodeKind,
  type EpisodeWords,
  follow,
  type FollowedTurn,
  type Follower,
  stagesOf,
  textOf,
} from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { nameOf, type TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';

type AnyLanguage = Languages[keyof Languages];

/** What only begins and ends, and the turns that tell of both. */
export type Span = Readonly<{
  began: TurnName;
  endedAt: Instant | null;
  ended: TurnName | null;
}>;

type SpanFacts = Pick<EpisodeWords, 'weight' | 'data'> &
  Readonly<{
    /** What happened, without its end: `could not delete pod kcm-1 from 12:00:44.1 on, because …`. */
    what: string;
    /** How it was over: `it was written`. */
    how: string;
    /** Said behind its end. */
    late?: string;
    brief?: string;
    lines?: readonly string[];
    /** The names of its two stages. */
    begins: string;
    ends: string;
  }>;

/** What only begins and ends, in words: `…; it was written 4.2 s later`. What was over at once has no end of its own. */
export function spanWords(
  { began, endedAt, ended }: Span,
  { weight, data, what, how, late = '', brief, lines = [], begins, ends }: SpanFacts,
): EpisodeWords {
  const lasted = endedAt !== null && endedAt !== began.at;
  const end = lasted ? `; ${how} ${lengthWords(endedAt - began.at)} later` : '';
  return {
    weight,
    sentence: `${what}${end}${late}`,
    ...(brief === undefined ? {} : { brief }),
    lines,
    stages: stagesOf([
      { name: begins, at: began.at, turn: began },
      { name: ends, at: lasted ? endedAt : null, turn: ended },
    ]),
    data: { ...data, endedAt: textOf(endedAt) },
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
