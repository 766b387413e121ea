import type { Health } from '../../adapters/http/health.ts';
import { serveHttp, type HttpServer, type HttpServerOptions } from '../../adapters/http/http-server.ts';
import { isOwnHost, journalRoutes, metricsRoutes } from '../../adapters/http/routes.ts';
import type { Journal } from '../../adapters/record/journal/journal.ts';
import type { Log } from '../../adapters/record/log/log.ts';
import type { Metrics } from '../../adapters/record/metrics/metrics.ts';
import { systemClock } from '../../adapters/clock/wall-clock.ts';
import { errorWords } from '../../adapters/words/plain-words.ts';
import type { Clock } from '../../effects/ports.ts';
import { guests, type History } from '../guests.ts';
import type { ListenAddress } from '../flag.ts';
import type { RoleFlags } from './role-flags.ts';

const { inspectorConnections, inspectorRoutes, pageAssets, pageLink } = await guests.page();

type Addresses = Pick<RoleFlags, 'metricsAddress' | 'healthAddress' | 'inspectorAddress'>;

type Served = Readonly<{
  metrics: Metrics;
  health: Health;
  journal: Journal;
  history: History;
  clock: Clock;
  log: Log;
}>;

export type Listening = Readonly<{
  /** By what is served there: where a flag said 0, the one that the system chose. What is turned off, or could not be served, is absent. */
  ports: Readonly<Partial<Record<'metrics' | 'health' | 'inspector', number>>>;
  /** The inspector's page, as whoever is on this machine, or forwards its port to the same number, can open it. */
  link: string | undefined;
  close(): Promise<void>;
}>;

/** Listens wherever the flags say. Rejects with AddressUnusable for metrics and health; the inspector's is a warning (SPEC 1.2). */
export async function openServers(
  { metricsAddress, healthAddress, inspectorAddress }: Addresses,
  { metrics, health, journal, history, clock, log }: Served,
): Promise<Listening> {
  const onFault = (error: unknown) =>
    log.error('a bug of the watchdog: a request for metrics, health, journal or inspector could not be answered', {
      error,
    });
  const ports: { -readonly [Name in keyof Listening['ports']]: Listening['ports'][Name] } = {};
  const servers: HttpServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  const open = async (
    what: keyof Listening['ports'],
    address: ListenAddress | undefined,
    serving: Pick<HttpServerOptions, 'routes' | 'routeOf' | 'upgrades' | 'isForUs' | 'mostConnections'>,
  ) => {
    if (address === undefined) return;
    const server = await serveHttp({ address, flag: `--${what}-bind-addr`, onFault, ...serving });
    servers.push(server);
    ports[what] = server.port;
  };

  try {
    await open('metrics', metricsAddress, { routes: metricsRoutes(metrics) });
    await open('health', healthAddress, { routes: health.routes });
  } catch (error) {
    await close();
    throw error;
  }
  const inspector = () =>
    inspectorRoutes({
      history,
      page: pageAssets(),
      now: () => clock.now(),
      pace: systemClock,
      hooks: metrics.onInspector,
      onFault,
    });
  try {
    const { routes, ...others } = inspectorAddress === undefined ? { routes: {} } : inspector();
    await open('inspector', inspectorAddress, {
      routes: { ...routes, ...journalRoutes(journal) },
      ...others,
      isForUs: isOwnHost,
      mostConnections: inspectorConnections,
    });
  } catch (error) {
    const problem = errorWords(error);
    log.warn(`the inspector is not served: ${problem}`, { line: 'the inspector is not served', problem });
  }
  const link = ports.inspector === undefined ? undefined : pageLink(inspectorAddress?.host, ports.inspector);
  return { ports, link, close };
}
