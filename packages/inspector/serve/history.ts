import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { ToldByTurns } from 'dependency-watchdog/adapters/record/facts/shoot-standing.ts';
import type { Episodes } from '../episodes/all-episodes.ts';
import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { serviceRow, shootRow, type ServiceRow, type ShootRow } from '../model/rows.ts';
import type { About, Kind, MachineName } from '../wire/wire.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';

/** Of the turns from `from` to `until`, both included, the youngest `most`. */
export type Span = Readonly<{ from: Instant; until: Instant; most: number }>;

/** Turns as JSON, oldest first, each without a line break. The first one carries `before`, where anything tells it. */
export type FoundTurns = Readonly<{
  turns: readonly string[];
  /** There are older, or younger ones than these. */
  earlier: boolean;
  later: boolean;
}>;

type Rows = Readonly<{ shoots: readonly ShootRow[]; services: readonly ServiceRow[] }>;

/** What an inspector shows, wherever it comes from: files, or the process itself. */
export type History = Readonly<{
  about(): About;
  /** How each machine stands, by its last turn; by name. */
  rows(): Rows;
  /** The same of some machines; those that are no more are left out. */
  rowsOf(machines: Iterable<MachineName>): Rows;
  episodes: Pick<Episodes, 'episodes' | 'changedSince'>;
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
  return count === 0 ? [] : [`${counted(count, 'older episode')} dropped: the limit keeps the newest`];
}

/** A turn, as far as it tells how its machine stands now. */
type StandingTurn<Of extends Kind> = Readonly<{
  kind: Of;
  subject: string;
  at: Instant;
  event: Readonly<{ type: string }>;
  from?: Languages[Of]['State'] | undefined;
  to: Languages[Of]['State'];
  after?: PlainOf<Languages[Of]> | undefined;
}>;

/** Changed with each turn, and so never given away: a turn of a machine that is known makes nothing new. */
type KnownMachine<Of extends Kind> = {
  subject: string;
  state: Languages[Of]['State'];
  since: Instant | null;
  lastAt: Instant;
  after: PlainOf<Languages[Of]> | undefined;
};

export type Standings = Readonly<{
  /** Every turn must pass, in order; `after` is left out if unknown. */
  take<Of extends Kind>(turn: StandingTurn<Of>): void;
  has(machine: MachineName): boolean;
  /** What a replay found, of one that is there; undefined where nothing tells. */
  stood<Of extends Kind>(
    machine: Readonly<{ kind: Of; subject: string }>,
    after: PlainOf<Languages[Of]> | undefined,
  ): void;
  rows(): Rows;
  rowsOf(machines: Iterable<MachineName>): Rows;
}>;

/** Keeps of each machine where its last turn left it, and nothing else: a turn costs one look into a map. `told`: what else is known of a shoot. */
export function standings(told?: (shoot: string) => ToldByTurns): Standings {
  const shoots = new Map<string, KnownMachine<'shoot'>>();
  const services = new Map<string, KnownMachine<'weeder'>>();
  const byKind = { shoot: shoots, weeder: services };
  const rowOfShoot = ({ after, ...standing }: KnownMachine<'shoot'>) =>
    shootRow(standing, after, told?.(standing.subject));

  return {
    take<Of extends Kind>({ kind, subject, at, event, from, to, after }: StandingTurn<Of>): void {
      const those = byKind[kind] as unknown as Map<string, KnownMachine<Of>>;
      const known = those.get(subject);
      if (event.type === 'ended') {
        those.delete(subject);
        return;
      }
      const begins = from !== to || event.type === 'started';
      if (known === undefined) {
        those.set(subject, { subject, state: to, since: begins ? at : null, lastAt: at, after });
        return;
      }
      // After a gap it may be in another state than it was left in.
      if (begins) known.since = at;
      else if (known.state !== to) known.since = null;
      known.state = to;
      known.lastAt = at;
      known.after = after ?? known.after;
    },
    has: ({ kind, subject }) => byKind[kind].has(subject),
    stood({ kind, subject }, after) {
      const known = byKind[kind].get(subject);
      if (known !== undefined && after !== undefined) known.after = after as never;
    },
    rows: () => ({ shoots: sorted(shoots).map(rowOfShoot), services: sorted(services).map(rowOfService) }),
    rowsOf(machines) {
      const named = [...machines];
      const those = <Of extends Kind>(kind: Of, map: ReadonlyMap<string, KnownMachine<Of>>) =>
        named.filter((one) => one.kind === kind).flatMap(({ subject }) => map.get(subject) ?? []);
      return { shoots: those('shoot', shoots).map(rowOfShoot), services: those('weeder', services).map(rowOfService) };
    },
  };
}

function rowOfService({ after, ...standing }: KnownMachine<'weeder'>) {
  return serviceRow(standing, after);
}

function sorted<Value extends Readonly<{ subject: string }>>(map: ReadonlyMap<string, Value>): readonly Value[] {
  return [...map.values()].toSorted((one, other) => naturalOrder(one.subject, other.subject));
}
