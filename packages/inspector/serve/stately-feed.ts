import type { Upgrade } from 'dependency-watchdog/adapters/http/upgrades.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import {
  mostFollowed,
  statelyChoice,
  actorMessage,
  sessionOf,
  turnMessages,
  type StatelyChoice,
} from './stately-messages.ts';
import { statelyDoor, type StatelyDoorOptions, type StatelyReader } from './stately-door.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { Language, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import { replayTurns } from '../model/replayed-turn.ts';
import type { Kind, WireTurnOf } from '../wire/wire.ts';
import { askedSpan, BadQuery } from './queries.ts';
import type { History } from './history.ts';

export type StatelyFeed = Readonly<{
  observe(turn: Turn): void;
  upgrade: Upgrade;
}>;

/** Where a machine's last turn left it. */
type LastTurn = Pick<Turn, 'kind' | 'subject' | 'at' | 'after'>;

/** What a reader follows, and which machines it knows already. */
type Following = Readonly<{ sessions: ReadonlySet<string> | undefined; known: Set<string> }>;

/**
 * Tells the turns of a live process as messages of `@statelyai/inspect`, over WebSocket. Who comes late is told first which machines there are. Nothing is written
 * while nobody reads.
 */
export function statelyFeed(options: Pick<StatelyDoorOptions, 'onCut' | 'onFault'>): StatelyFeed {
  /** Of each machine that is there. The rest of a turn would keep its leases in memory. */
  const latest = new Map<string, LastTurn>();
  const readers = new Map<StatelyReader, Following>();

  /** Makes a machine known; what is known already, or cannot be told, gives nothing. */
  function introduced(reader: StatelyReader, { known }: Following, { kind, subject, at, after }: LastTurn): string[] {
    const session = sessionOf({ kind, subject });
    if (known.size >= mostFollowed && !known.has(session)) {
      reader.cut('tooMany');
      return [];
    }
    known.add(session);
    return [actorMessage({ kind, subject }, at, after)];
  }

  async function begin(reader: StatelyReader, choice: StatelyChoice): Promise<void> {
    const following: Following = { sessions: choice && new Set(choice.map(sessionOf)), known: new Set() };
    readers.set(reader, following);
    for (const [session, standing] of latest) {
      // A turn that came meanwhile has made its machine known itself.
      if (!follows(following, session) || following.known.has(session)) continue;
      for (const text of introduced(reader, following, standing)) await reader.deliver(text);
      if (!reader.isThere()) return;
    }
  }

  return {
    observe(turn) {
      const { kind, subject, at, event, before, after } = turn;
      const session = sessionOf(turn);
      if (event.type === 'ended') latest.delete(session);
      else latest.set(session, { kind, subject, at, after });
      let texts: readonly string[] | undefined;
      for (const [reader, following] of readers) {
        if (!reader.isThere() || !follows(following, session)) continue;
        const isNews = event.type === 'started' || !following.known.has(session);
        const actor = isNews ? introduced(reader, following, { kind, subject, at, after: before ?? after }) : [];
        texts ??= turnMessages(turn);
        for (const text of [...actor, ...texts]) reader.send(text);
        if (event.type === 'ended') following.known.delete(session);
      }
    },
    upgrade: statelyDoor({
      ...options,
      begin(query) {
        const choice = statelyChoice(query);
        return (reader) => begin(reader, choice);
      },
      onLeave: (reader) => readers.delete(reader),
    }),
  };
}

function follows({ sessions }: Following, session: string): boolean {
  return sessions === undefined || sessions.has(session);
}

/**
 * Tells recorded turns as messages of `@statelyai/inspect`: of the machines that a reader names, one after the other, at the reader's pace.
 * What is recorded is replayed (SPEC 9.6), since a journal has only a machine's first snapshot.
 */
export function statelyFiles(
  history: Pick<History, 'turnsOf'>,
  { now, ...options }: Pick<StatelyDoorOptions, 'onFault'> & Readonly<{ now: () => Instant }>,
): Upgrade {
  return statelyDoor({
    ...options,
    async begin(query) {
      const choice = statelyChoice(query, ['from', 'until', 'most']);
      if (choice === undefined) throw new BadQuery('name a machine: ?shoot=NAME or ?service=NAMESPACE/NAME');
      const span = askedSpan(query, now(), 'shoot', 'service');
      for (const machine of choice) {
        const one = await history.turnsOf(machine, { ...span, most: 1 });
        if (one === undefined) throw new BadQuery(`no event of ${machine.subject} is recorded`);
      }
      return async (reader) => {
        // Each is found when it is its turn: all of them together may be too much for the memory.
        for (const machine of choice) {
          if (!reader.isThere()) return;
          const found = await history.turnsOf(machine, span);
          await tell(machine.kind, found?.turns ?? [], reader);
        }
      };
    },
  });
}

async function tell(kind: Kind, lines: readonly string[], reader: StatelyReader): Promise<void> {
  const machineOf: PureMachine<Language> = pureMachines[kind];
  const turns = lines.map((line) => JSON.parse(line) as WireTurnOf<Kind>);
  for (const [index, { turn, before, after }] of replayTurns(machineOf, turns).entries()) {
    if (!reader.isThere()) return;
    const { subject, seq, at, event } = turn;
    const machine = { kind, subject };
    if (index === 0 || event.type === 'started') await reader.deliver(actorMessage(machine, at, before ?? after));
    for (const text of turnMessages({ ...machine, seq, at, event, after })) await reader.deliver(text);
  }
}
