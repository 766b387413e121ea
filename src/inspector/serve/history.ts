import type { EpisodeCourses } from '../../adapters/episodes/episode-courses.ts';
import { counted } from '../../adapters/words/plain-words.ts';
import type { Instant } from '../../domain/time.ts';
import type { Turn } from '../../effects/turn.ts';
import type { ServiceRow, ShootRow } from '../told/rows.ts';
import type { About, Kind } from '../wire/wire.ts';

export type MachineName = Readonly<{ kind: Kind; subject: string }>;

/** Of the turns from `from` to `until`, both included, the youngest `most`. */
export type Span = Readonly<{ from: Instant; until: Instant; most: number }>;

/** Turns as JSON, oldest first, each without a line break. The first one carries `before`, where anything tells it. */
export type FoundTurns = Readonly<{
  turns: readonly string[];
  /** There are older, or younger ones than these. */
  earlier: boolean;
  later: boolean;
}>;

export type Rows = Readonly<{ shoots: readonly ShootRow[]; services: readonly ServiceRow[] }>;

/** What an inspector shows, wherever it comes from: files, or the process itself. */
export type History = Readonly<{
  about(): About;
  /** How each machine stands, by its last turn; by name. */
  rows(): Rows;
  /** The same of some machines; those that are no more are left out. */
  rowsOf(machines: Iterable<MachineName>): Rows;
  episodes: Pick<EpisodeCourses, 'episodes' | 'changedSince'>;
  /**
   * As they are recorded at the call. Undefined where no turn of that machine is known. Rejects with ReaderGone where nobody wants
   * them any more.
   */
  turnsOf(machine: MachineName, span: Span, isWanted?: () => boolean): Promise<FoundTurns | undefined>;
  /** Undefined for files, which change no more. */
  live: LiveTurns | undefined;
}>;

type LiveTurns = Readonly<{
  /** Of the process whose turns these are. */
  run: string;
  /** Hears every turn from now on. Answers how to end that. */
  listen(heard: (turn: Turn) => void): () => void;
}>;

/** There is a limit on them. */
export function droppedEpisodes(count: number): readonly string[] {
  return count === 0 ? [] : [`${counted(count, 'older episode')} made room for younger ones`];
}
