import type { Instant, Millis } from '../../../domain/time.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { TurnName } from '../facts/turns.ts';
import { instantText } from '../../words/plain-words.ts';
import type { PlainOf } from '../../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../journal/journal-line.ts';

/** What happened, by its consequence. */
export type EpisodeKind = 'outage' | 'partial' | 'recovery' | 'pause' | 'refusal' | 'bug' | 'oddLeases' | 'unreachable';

/** `bad`: nodes may have been harmed, or something is wrong with us. `grave`: something is cut off, down, or not guarded. `notable`: worth knowing. */
export type EpisodeWeight = 'bad' | 'grave' | 'notable';

const byGravity: readonly EpisodeWeight[] = ['bad', 'grave', 'notable'];

/** 0 for the gravest. */
export function gravityRank(weight: EpisodeWeight): number {
  return byGravity.indexOf(weight);
}

/** One thing that happened to one machine: an outage with its way down and up is one, not forty turns. Plain JSON. */
export type Episode = Readonly<{
  kind: EpisodeKind;
  machine: keyof Languages;
  subject: string;
  /** Stays the same while it goes on. */
  id: string;
  beganAt: Instant;
  /** Null while it goes on. */
  endedAt: Instant | null;
  weight: EpisodeWeight;
  /**
   * What happened, and because of what. Each time of day in it is UTC (`12:00:44.1`), and that of its beginning, its end or one of its stages, so
   * that a page can put the time of another zone in its place.
   */
  sentence: string;
  /** Of the sentence what no figure tells: the cause, who interfered, who took over. Absent where that is all of it. */
  brief?: string;
  /** More of it, a line each: nodes, replicas, what else went wrong. */
  lines: readonly string[];
  /** In order: cut off, decided, protected, connected again, brought back. */
  stages: readonly EpisodeStage[];
  /** The turn that decided it, or that it began with. */
  turn: TurnName;
  /** What is worse of it than its kind tells, to be told before all else; absent where nothing is. */
  odds?: readonly EpisodeOdd[];
  /** For programs, as `replay --json` tells it: instants as text, lengths in milliseconds. */
  data: Readonly<Record<string, unknown>>;
}>;

/** `words`: what its subject did, or what befell it; `by`: how bad it is among its like. */
export type EpisodeOdd = Readonly<{ what: 'tooLate' | 'notDown' | 'raised' | 'notReady'; words: string; by: number }>;

export type EpisodeStage = Readonly<{
  name: string;
  at: Instant;
  /** Since the stage before it; null for the first one. */
  after: Millis | null;
  turn: TurnName | null;
}>;

/** What an episode says, beside what, whose and when it is. */
export type EpisodeWords = Pick<Episode, 'weight' | 'sentence' | 'lines' | 'stages' | 'data'> &
  Readonly<{ turn?: TurnName; brief?: string; odds?: readonly EpisodeOdd[] }>;

/** The stages that came, each with the time since the one before it. */
export function stagesOf(
  stages: readonly Readonly<{ name: string; at: Instant | null; turn: TurnName | null | undefined }>[],
): readonly EpisodeStage[] {
  const came: EpisodeStage[] = [];
  for (const { name, at, turn = null } of stages) {
    const before = came.at(-1);
    if (at !== null) came.push({ name, at, after: before === undefined ? null : at - before.at, turn });
  }
  return came;
}

/** For programs; what has no instant has no field. */
export function textOf(at: Instant | null): string | undefined {
  return at === null ? undefined : instantText(at);
}

/** `a, b and c`; `a, b and 3 more`. */
export function listWords(names: readonly string[], most: number): string {
  if (names.length > most) return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** One line of what an error or an answer says; it may have a stack below, or come from a stranger. */
export function firstLine(text: string, most = 200): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

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

/** One episode, not yet put into words: most are never read. `chain`: whatever of the same name happens to the same machine comes one after the other. */
export type EpisodeDraft = Pick<Episode, 'kind' | 'machine' | 'subject' | 'id' | 'beganAt' | 'endedAt'> &
  Readonly<{ chain: string; episode(): Episode }>;

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
        const { weight, sentence, brief, lines, stages, turn = began, odds = [], data } = words(one);
        const more = { ...(brief !== undefined && { brief }), ...(odds.length > 0 && { odds }) };
        return { ...head, weight, sentence, lines, stages, turn, ...more, data };
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
