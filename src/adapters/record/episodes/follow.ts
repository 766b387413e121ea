import type { Instant } from '../../../domain/time.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { PlainOf } from '../../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../journal/journal-line.ts';
import type { TurnName } from '../facts/turn-name.ts';
import type { Episode, EpisodeKind, EpisodeWords } from './episode.ts';

type AnyLanguage = Languages[keyof Languages];

/** A turn of a journal, which has no snapshots, or as it is taken, with both. */
export type FollowedTurn<Spoken extends AnyLanguage> = Omit<JournalTurnOf<Spoken>, 'from' | 'before'> &
  Readonly<{
    from?: Spoken['State'] | undefined;
    before?: PlainOf<Spoken> | undefined;
    after?: PlainOf<Spoken> | undefined;
  }>;

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
