import { onTestFinished } from 'vitest';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { serverSentEvent } from '../../serve/event-stream.ts';
import { serveHttp, type HttpServer, type Reply, type Route } from 'dependency-watchdog/adapters/http/http-server.ts';
import { isOwnHost } from 'dependency-watchdog/adapters/http/routes.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';
import { inspectorConnections, inspectorRoutes } from '../../serve/inspector-routes.ts';
import { pageAssets } from '../../serve/page-assets.ts';
import { readerLimits } from '../../serve/readers.ts';
import { liveProcess } from '../serve/inspected.ts';

const page = pageAssets();
const onFault = (error: unknown): never => {
  throw error;
};
const missed = serverSentEvent('missed', JSON.stringify({ since: 0, events: 1 }));

/** What the next event of each stream comes to: itself, or the word that it was left out. Which paths are answered with 500. */
type Faults = { losing: boolean; failing: RegExp | undefined };

type LivePage = Readonly<{
  origin: string;
  faults: Faults;
  take: (turns: readonly Turn[]) => void;
  kill: () => Promise<void>;
  /** Another process, which remembers nothing, at the same address. */
  startAfresh: () => Promise<void>;
}>;

/** A process that runs, which takes the turns that a test gives it, and its page, which can be killed and come back at the same address. */
export async function livePage({ mostStreams = readerLimits.mostStreams } = {}): Promise<LivePage> {
  const faults: Faults = { losing: false, failing: undefined };
  let server: HttpServer | undefined;
  let process = liveProcess();
  const start = async (port: number) => {
    const { history } = process;
    const { routes, routeOf, ...others } = inspectorRoutes({
      history,
      page,
      now: () => history.about().now,
      pace: systemClock,
      limits: { ...readerLimits, mostStreams },
      onFault,
    });
    server = await serveHttp({
      address: { host: '127.0.0.1', port },
      flag: '--bind-addr',
      ...others,
      routes: Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, faulty(path, route, faults)])),
      routeOf: (path) => {
        const route = routeOf(path);
        return route && faulty(path, route, faults);
      },
      isForUs: isOwnHost,
      mostConnections: inspectorConnections,
      onFault,
    });
    return server.port;
  };
  const kill = async () => await server?.close();
  const port = await start(0);
  onTestFinished(kill);
  return {
    origin: `http://127.0.0.1:${port}`,
    faults,
    take: (turns) => process.take(turns),
    kill,
    startAfresh: async () => {
      process = liveProcess();
      await start(port);
    },
  };
}

function faulty(path: string, route: Route, faults: Faults): Route {
  return async (query, reader) => {
    if (faults.failing?.test(path) === true) return { status: 500, contentType: 'text/plain', body: 'it fails\n' };
    const reply = await route(query, reader);
    return path.endsWith('/events') && reply.status === 200 ? { ...reply, body: lossy(reply.body, faults) } : reply;
  };
}

/** Not a generator: `return` of one would wait for the next event. */
function lossy(body: Reply['body'], faults: Faults): AsyncIterable<Buffer> {
  if (typeof body === 'string' || !(Symbol.asyncIterator in body)) throw new Error('no stream of events');
  return {
    [Symbol.asyncIterator]() {
      const events = body[Symbol.asyncIterator]();
      return {
        async next() {
          const event = await events.next();
          if (!faults.losing || event.done === true) return event;
          faults.losing = false;
          return { done: false, value: missed };
        },
        return: async () => (await events.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
