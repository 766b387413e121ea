import type { EventStream } from '../../adapters/http/event-stream.ts';
import type { Instant } from '../../domain/time.ts';
import type { Turn } from '../../effects/turn.ts';
import { mostTurns } from './asked-span.ts';
import type { HeldAnswers } from './held-answers.ts';
import type { FoundTurns, History, MachineName } from './history.ts';
import type { Beginning, Readers } from './readers.ts';
import { liveTurnEvents, turnsEvent } from './turns-event.ts';

/** One event has about this much of the turns that were before the reader came. */
const pieceCharacters = 262_144;

/** `needsBefore`: none was sent yet, or one was left out, so the next turn must tell where its machine stood. */
type Reader = { stream: EventStream; needsBefore: boolean };

/**
 * `/shoots/NAME/events`, `/services/NAMESPACE/NAME/events`: the turns of one machine from an instant on, first those that are
 * recorded, then each as it is taken. None comes twice, and none is missing unless that is said.
 */
export function machineStream(
  history: History,
  readers: Readers,
  answers: HeldAnswers,
): (machine: MachineName, from: Instant | undefined) => EventStream | undefined {
  const byMachine = new Map<string, Set<Reader>>();
  let unlisten: (() => void) | undefined;

  function heard(turn: Turn, run: string): void {
    const those = byMachine.get(keyOf(turn));
    if (those === undefined) return;
    const events = liveTurnEvents(turn, run);
    for (const reader of those) {
      const event = reader.needsBefore ? events.withBefore() : events.bare();
      if (event === undefined) reader.stream.leaveOut();
      reader.needsBefore = event === undefined || !reader.stream.send(event);
    }
  }

  function add(key: string, reader: Reader): void {
    const { live } = history;
    if (byMachine.size === 0) unlisten = live?.listen((turn) => heard(turn, live.run));
    byMachine.set(key, (byMachine.get(key) ?? new Set()).add(reader));
  }

  function remove(key: string, reader: Reader): void {
    const those = byMachine.get(key);
    those?.delete(reader);
    if (those?.size === 0) byMachine.delete(key);
    if (byMachine.size === 0) unlisten?.();
  }

  return (machine, from) => {
    const key = keyOf(machine);
    let reader: Reader | undefined;
    let there = true;
    return readers.open({
      begin(stream): Beginning {
        add(key, (reader = { stream, needsBefore: true }));
        // Both at once: what the journal has now, and whatever comes after.
        if (from === undefined) return [];
        const found = history.turnsOf(machine, { from, until: Infinity, most: mostTurns }, () => there);
        // A reader that has left asks for no piece, and nobody else hears of the end of the search.
        found.catch(() => undefined);
        return pieces(found, answers);
      },
      end() {
        there = false;
        if (reader !== undefined) remove(key, reader);
      },
    });
  };
}

async function* pieces(found: Promise<FoundTurns | undefined>, { holding }: HeldAnswers): AsyncGenerator<Buffer> {
  const turns = (await found)?.turns ?? [];
  yield* holding(turns, turnPieces(turns));
}

function* turnPieces(turns: FoundTurns['turns']): Generator<Buffer> {
  let piece: string[] = [];
  let characters = 0;
  for (const turn of turns) {
    piece.push(turn);
    characters += turn.length;
    if (characters < pieceCharacters) continue;
    yield turnsEvent(piece);
    [piece, characters] = [[], 0];
  }
  if (piece.length > 0) yield turnsEvent(piece);
}

function keyOf({ kind, subject }: Readonly<{ kind: string; subject: string }>): string {
  return `${kind} ${subject}`;
}
