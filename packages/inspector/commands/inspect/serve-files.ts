import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { AddressUnusable, serveHttp, type HttpServer } from 'dependency-watchdog/adapters/http/http-server.ts';
import { isOwnHost } from 'dependency-watchdog/adapters/http/routes.ts';
import { errorCode } from 'dependency-watchdog/adapters/words/errno-words.ts';
import type { History } from '../../serve/history.ts';
import { inspectorConnections, inspectorRoutes } from '../../serve/inspector-routes.ts';
import { pageAssets } from '../../serve/page-assets.ts';
import type { ListenAddress } from 'dependency-watchdog/commands/flag.ts';

type FilesServed = Readonly<{
  history: History;
  address: ListenAddress;
  /** The address was given on the command line: then no other one will do. */
  given: boolean;
  say: (sentence: string) => void;
  onFault: (error: unknown) => void;
}>;

/** Serves the page of a history. Rejects with AddressUnusable where it cannot listen. */
export async function serveFiles({ history, address, given, say, onFault }: FilesServed): Promise<HttpServer> {
  const serve = (at: ListenAddress) =>
    serveHttp({
      address: at,
      flag: '--bind-addr',
      remedy: 'give another address, or port 0 for any free one',
      ...inspectorRoutes({
        history,
        page: pageAssets(),
        now: () => history.about().now,
        pace: systemClock,
        onFault,
      }),
      isForUs: isOwnHost,
      mostConnections: inspectorConnections,
      onFault,
    });
  try {
    return await serve(address);
  } catch (error) {
    const isTaken = error instanceof AddressUnusable && errorCode(error.cause) === 'EADDRINUSE';
    if (given || !isTaken) throw error;
    say(
      `port ${address.port} is in use, perhaps by another inspect: this one takes a free port, so links that you copy end with it; --bind-addr chooses a port`,
    );
    return await serve({ ...address, port: 0 });
  }
}
