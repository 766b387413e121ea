/**
 * What the inspector's server tells, and its page reads: plain JSON, which curl and jq can use as well (docs/inspector.md). Instants are
 * milliseconds since 1970, lengths of time milliseconds.
 */
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { JournalHeader, JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { ProcessLead } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { TurnName } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { ServiceRow, ShootRow } from '../model/rows.ts';

export type Kind = keyof Languages;

/** One shoot, or one service of the weeder. */
export type MachineName = Readonly<{ kind: Kind; subject: string }>;

/** `/about`: what is read, and by whom. */
export type About = Readonly<{
  /** Of the program that serves it. */
  version: string;
  /** How a shell calls it, if not by its name: a command of the page can be run as it is where the program was started. */
  program?: string | undefined;
  now: Instant;
  /** Turns still come; else all is from files. */
  live: boolean;
  /** `memory`, or the names of the files. */
  sources: readonly string[];
  runs: readonly Run[];
  turns: number;
  firstAt: Instant | null;
  lastAt: Instant | null;
  /** Whether the live process leads; null for files, and before it is known. */
  lead: ProcessLead | null;
  /** What came of replaying the recorded turns; null for a live process, whose page replays them itself, and before it is known. */
  replayed: Replayed | null;
  /** One sentence for whatever is missing: what was not asked for, damaged lines, a file that is no journal. */
  problems: readonly string[];
  /** Files are still being read; null once all is known, and for a live process. */
  reading: Reading | null;
}>;

/**
 * How far files are read: first the newest ones, then `all`; what is shown is of those that were. In the end all turns are `replayed`. With each `step` there is
 * more to show. `percent`: of all that is to be done.
 */
export type Reading = Readonly<{ doing: 'newest' | 'all' | 'replay'; step: number; percent: number }>;

type Read = Pick<About, 'turns' | 'firstAt' | 'lastAt'>;

/** One run of a process, as its journal's header tells it. */
type Run = Readonly<
  Pick<JournalHeader, 'run' | 'program' | 'version' | 'openedAt' | 'journal' | 'configuration' | 'lead'> & {
    /** Of its last turn, where it is over. */
    lastAt?: Instant;
  }
>;

export type Replayed = Readonly<{
  checked: number;
  withoutBeginning: number;
  /** Each machine's first turn that came out otherwise. */
  differences: readonly (TurnName & Readonly<{ in: string }>)[];
}>;

/** A turn as the journal has it, and of which run it is. */
export type WireTurnOf<Of extends Kind> = JournalTurns[Of] & Readonly<{ run: string }>;
type WireTurn = WireTurnOf<'shoot'> | WireTurnOf<'weeder'>;

/**
 * `/shoots/NAME/turns`, `/services/NAMESPACE/NAME/turns`: turns of one machine, oldest first. The first one, and each after a gap, carries `before`, so that a replay can
 * begin there. `from` and `until` are instants (a number, or ISO 8601), `most` at most 5,000, the youngest of those that are asked for.
 */
export type Turns = Readonly<{
  turns: readonly WireTurn[];
  /** There are older, or younger ones than these. */
  earlier: boolean;
  later: boolean;
}>;

/** `/shoots`: how each stands, by its last turn. */
export type Shoots = Readonly<{ now: Instant; shoots: readonly ShootRow[] }>;

/** `/services`: the same for the weeder. */
export type Services = Readonly<{ now: Instant; services: readonly ServiceRow[] }>;

/** `/outages`, `/recoveries`, `/episodes`: what happened, by consequence, newest first. `since`, `until`, `shoot` as in `replay`. */
export type Episodes = Readonly<{ now: Instant; episodes: readonly Episode[] }>;

/**
 * `/events`: a stream of server-sent events, each named as its field here. It begins with `about`, all `rows` and all `episodes`; after that `rows` and
 * `episodes` come at most twice a second, with what changed since. `/shoots/NAME/events` and `/services/NAMESPACE/NAME/events` have `turns` of that one,
 * from the instant `?from=` on. All have `missed`. Files change no more, so theirs only begin.
 */
export type StreamEvents = {
  about: About;
  rows: Readonly<{
    now: Instant;
    shoots: readonly ShootRow[];
    services: readonly ServiceRow[];
    gone: readonly string[];
    /** How many turns there are by now, and of which time. */
    read: Read;
  }>;
  episodes: Readonly<{ episodes: readonly Episode[] }>;
  turns: Readonly<{ turns: readonly WireTurn[] }>;
  /** This reader was too slow: so much was left out since then. It asks for all that it shows again. */
  missed: Readonly<{ since: Instant; events: number }>;
};

/** What a page in one file brings along: by path, what a server would answer there. */
export type Carried = Readonly<Record<string, About | Shoots | Services | Episodes | Turns>>;
