import { connection } from '../../client/inspector-client.ts';
import { lostRemedy, type Connection } from '../../client/connection.ts';
import { useStore } from '../../client/use-store.ts';

/** One lost try is no news: a program that is started again is back in a moment. */
const worthSaying = 2;

/** What to do about a connection that stays lost. */
export function LostNotice() {
  const lost = useStore(connection, lostOf);
  if (lost === undefined) return null;
  return <p class="frame-lost">{lostRemedy(lost.because)}</p>;
}

function lostOf(connection: Connection) {
  return connection.state === 'lost' && connection.tries >= worthSaying ? connection : undefined;
}
