import type { Instant } from '../../domain/time.ts';
import type { WatchSink } from '../api/watch-sink.ts';
import type { Agenda } from '../store/agenda.ts';
import type { Receiver } from './carry.ts';
import type { WatchFate } from './fate.ts';
import type { MemoryApiServer } from './memory-api-server.ts';

type SinkParts = Readonly<{
  server: MemoryApiServer;
  fate: WatchFate;
  agenda: Agenda;
  atClient: (task: () => void) => void;
  receiver: Receiver;
  reset: () => void;
  /** The client's side is over. */
  leave: () => void;
}>;

const nothing = (): void => undefined;

/** The events of a watch go to a client in memory, each as late as its fate says. `leave`: the client went away. */
export function memorySink({ server, fate, agenda, atClient, receiver, reset, leave }: SinkParts): Readonly<{
  sink: WatchSink;
  leave: () => void;
}> {
  let close = nothing;
  let isOpen = true;
  let isSilent = false;
  let lastAt: Instant = -Infinity;
  const stops: (() => void)[] = [];
  const shut = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const stop of stops) stop();
    close();
  };
  /** In order, whatever the lag of each. */
  const late = (task: () => void): void => {
    lastAt = Math.max(lastAt, agenda.clock.now() + fate.lag());
    agenda.at(lastAt, () => {
      if (!isSilent) atClient(task);
    });
  };
  const cut = (): void => {
    shut();
    reset();
  };
  return {
    leave: shut,
    sink: {
      begin({ onClose }) {
        close = onClose;
        late(() => receiver.head(200, { ...server.headers, 'content-type': 'application/json' }));
        if (fate.silentAfter !== undefined) stops.push(agenda.after(fate.silentAfter, () => (isSilent = true)));
        if (fate.cutAfter !== undefined) stops.push(agenda.after(fate.cutAfter, cut));
      },
      write(lines) {
        if (!isOpen || (fate.withoutBookmarks === true && lines.startsWith('{"type":"BOOKMARK"'))) return;
        const bytes = Buffer.from(lines);
        late(() => receiver.data(bytes));
      },
      isFull: false,
      end() {
        shut();
        late(() => {
          leave();
          receiver.end();
        });
      },
      cut,
    },
  };
}
