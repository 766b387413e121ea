import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WatchSink } from '../api/watch-sink.ts';
import type { Agenda } from '../store/agenda.ts';
import type { Receiver } from './carry.ts';
import type { StruckFault, WatchFate } from './fate.ts';
import type { MemoryApiServer } from './memory-api-server.ts';

type SinkParts = Readonly<{
  server: MemoryApiServer;
  fate: WatchFate;
  struck: (fault: StruckFault) => void;
  agenda: Agenda;
  atClient: (task: () => void) => void;
  receiver: Receiver;
  reset: () => void;
  /** The client's side is over. */
  leave: () => void;
}>;

const nothing = (): void => undefined;

/** The events of a watch go to a client in memory, each as late as its fate says. `leave`: the client went away. */
export function memorySink({ server, fate, struck, agenda, atClient, receiver, reset, leave }: SinkParts): Readonly<{
  sink: WatchSink;
  leave: () => void;
}> {
  let close = nothing;
  let isOpen = true;
  /** What is on its way does not come to its client any more. */
  let isLeft = false;
  let isSilent = false;
  /** Something was not delivered, since it fell silent. */
  let isMissed = false;
  let isBare = false;
  let lastAt: Instant = -Infinity;
  const stops: (() => void)[] = [];
  const shut = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const stop of stops) stop();
    close();
  };
  /** In order, whatever the lag of each. */
  const late = (task: () => void, lag = server.lag): void => {
    lastAt = Math.max(lastAt, agenda.clock.now() + lag + fate.lag());
    agenda.at(lastAt, () => {
      if (isLeft) return;
      if (!isSilent) atClient(task);
      else if (!isMissed) atClient(() => struck('watch silent'));
      isMissed ||= isSilent;
    });
  };
  const cut = (): void => {
    shut();
    reset();
  };
  const breakOff = (): void => {
    atClient(() => struck('watch cut'));
    cut();
  };
  const isWithheld = (lines: string): boolean => {
    if (fate.withoutBookmarks !== true || !lines.startsWith('{"type":"BOOKMARK"')) return false;
    if (!isBare) atClient(() => struck('no bookmarks'));
    isBare = true;
    return true;
  };
  return {
    leave() {
      isLeft = true;
      shut();
    },
    sink: {
      begin({ onClose }) {
        close = onClose;
        // A server whose watch cache is behind opens a watch at once.
        late(() => receiver.head(200, server.headers('application/json')), 0);
        if (fate.silentAfter !== undefined) stops.push(agenda.after(fate.silentAfter, () => (isSilent = true)));
        if (fate.cutAfter !== undefined) stops.push(agenda.after(fate.cutAfter, breakOff));
      },
      write(lines) {
        if (!isOpen || isWithheld(lines)) return;
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
