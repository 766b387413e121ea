import { useEffect, useState } from 'preact/hooks';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { after, browserNow, type Cancel } from '../browser-clock.ts';
import { connection, serverState } from './inspector-client.ts';
import { serverNow } from './server-time.ts';

/** All that counts seconds on the page counts them together, so that it is drawn once a second and not once for each. */
const listeners = new Set<() => void>();
let cancel: Cancel | undefined;

function tick(): void {
  const next = 1_000 - (browserNow() % 1_000);
  cancel = after(next, () => {
    for (const heard of listeners) heard();
    tick();
  });
}

/** What time it is at the server, by whole seconds of this browser; undefined before the server said it. */
export function useNow(): Instant | undefined {
  const [now, setNow] = useState(timeThere);
  useEffect(() => {
    const heard = () => setNow(timeThere());
    heard();
    listeners.add(heard);
    if (cancel === undefined) tick();
    const leave = serverState.subscribe(() => {
      // The first word of the server need not wait for the next second.
      setNow((known) => known ?? timeThere());
    });
    return () => {
      leave();
      listeners.delete(heard);
      if (listeners.size > 0) return;
      cancel?.();
      cancel = undefined;
    };
  }, []);
  return now;
}

function timeThere(): Instant | undefined {
  const { time, about } = serverState.get();
  if (time === null) return undefined;
  // Nothing passes in a file: there it is as late as its last turn.
  if (about?.live === false) return about.lastAt ?? about.now;
  // Nor here once the connection is lost: what goes on there is not known.
  const now = connection.get();
  return serverNow(time, now.state === 'lost' ? now.since : browserNow());
}
