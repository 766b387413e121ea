import type { Subscription } from 'rxjs';
import { serverSentEvent, type EventStream } from '../../adapters/http/event-stream.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import type { Turn } from '../../effects/turn.ts';
import type { StreamEvents } from '../wire/wire.ts';
import type { History, MachineName } from './history.ts';
import type { Readers } from './readers.ts';

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
    const events = [event('rows', { now: now(), shoots, services, gone })];
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
      event('rows', { now: now(), ...history.rows(), gone: [] }),
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

function event<Name extends keyof StreamEvents>(name: Name, told: StreamEvents[Name]): Buffer {
  return serverSentEvent(name, JSON.stringify(told));
}
