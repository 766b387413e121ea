import { connection, told } from '../../client/inspector-client.ts';
import { lostRemedy, type Connection } from '../../client/connection.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';

/** One lost try is no news: a program that is started again is back in a moment. */
const worthSaying = 2;

/** What to do about a connection that stays lost, and about a program that took the place of the one that brought this page. */
export function LostNotice() {
  const lost = useStore(connection, lostOf);
  const replacedBy = useStore(told, replacedByOf);
  return (
    <>
      {lost !== undefined && <p class="frame-notice frame-lost">{lostRemedy(lost.because)}</p>}
      {replacedBy !== undefined && (
        <p class="frame-notice">
          The program is version {replacedBy} now, and this page is of another one: its machines may decide otherwise.
          Load the page again.
        </p>
      )}
    </>
  );
}

function lostOf(connection: Connection) {
  return connection.state === 'lost' && connection.tries >= worthSaying ? connection : undefined;
}

function replacedByOf({ about, pageVersion }: Told): string | undefined {
  return about !== null && pageVersion !== null && about.version !== pageVersion ? about.version : undefined;
}
