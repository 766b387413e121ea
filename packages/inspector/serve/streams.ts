import type { Subscription } from 'rxjs';
import { serverSentEvent, type EventStream } from './event-stream.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import type { MachineName, StreamEvents } from '../wire/wire.ts';
import type { History, FoundTurns } from './history.ts';
import type { Readers, HeldAnswers, Beginning } from './readers.ts';
import { mostTurns } from './queries.ts';
import { liveTurnEvents, turnsEvent } from './find-turns.ts';

/** What changed is told at most this often. */
const tellEvery: Millis = 500;

/**
 * `/events`: how all stands and what happened, to any number of readers. It is put into words once for all of them. Without a
 * reader nothing is: not even what changed is remembered.
 */
export function seedStream(
  history: History,
  { readers, now, pace }: Readonly<{ readers: Readers; now: () => Instant; pace: Clock }>,
): () => EventStream | undefined {
  const streams = new Set<EventStream>();
  /** By kind and name. */
  let changed = new Map<string, MachineName>();
  /** Up to which the episodes are told. */
  let told = 0;
  /** What a new reader gets, as long as nothing was told since. */
  let whole: readonly Buffer[] | undefined;
  let timer: Subscription | undefined;
  let unlisten: (() => void) | undefined;

  function heard({ kind, subject }: Turn): void {
    changed.set(`${kind} ${subject}`, { kind, subject });
    timer ??= pace.wakeAt(pace.now() + tellEvery).subscribe(tell);
  }

  function tell(): void {
    timer = undefined;
    const { shoots, services } = history.rowsOf(changed.values());
    const there = new Set<string>([...shoots.map(({ shoot }) => shoot), ...services.map(({ service }) => service)]);
    const gone = [...changed.values()].map(({ subject }) => subject).filter((subject) => !there.has(subject));
    const events = [event('rows', { now: now(), shoots, services, gone, read: readOf(history) })];
    const { revision, episodes } = history.episodes.changedSince(told);
    if (episodes.length > 0) events.push(event('episodes', { episodes }));
    told = revision;
    changed = new Map();
    whole = undefined;
    for (const stream of streams) for (const one of events) stream.send(one);
  }

  function begin(stream: EventStream): readonly Buffer[] {
    if (streams.size === 0) unlisten = history.live?.listen(heard);
    streams.add(stream);
    if (whole !== undefined) return whole;
    // Readers that are there already hear what is new with the next tick.
    if (streams.size === 1) told = history.episodes.changedSince(Infinity).revision;
    whole = [
      event('about', history.about()),
      event('rows', { now: now(), ...history.rows(), gone: [], read: readOf(history) }),
      event('episodes', { episodes: history.episodes.episodes() }),
    ];
    return whole;
  }

  function end(stream: EventStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    unlisten?.();
    timer?.unsubscribe();
    [unlisten, timer, whole, changed] = [undefined, undefined, undefined, new Map()];
  }

  return () => {
    let opened: EventStream | undefined;
    return readers.open({
      begin: (stream) => begin((opened = stream)),
      end: () => opened !== undefined && end(opened),
    });
  };
}

function readOf(history: History): StreamEvents['rows']['read'] {
  const { turns, firstAt, lastAt } = history.about();
  return { turns, firstAt, lastAt };
}

function event<Name extends keyof StreamEvents>(name: Name, told: StreamEvents[Name]): Buffer {
  return serverSentEvent(name, JSON.stringify(told));
}

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
        // A reader that has left asks for no piece, so a failed search would be unhandled.
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
