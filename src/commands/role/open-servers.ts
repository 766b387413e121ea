import type { Health } from '../../adapters/http/health.ts';
import { serveHttp, type HttpServer, type HttpServerOptions } from '../../adapters/http/http-server.ts';
import { isOwnHost, journalRoutes, metricsRoutes } from '../../adapters/http/routes.ts';
import type { Journal } from '../../adapters/journal/journal.ts';
import type { Log } from '../../adapters/log/log.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import { errorWords } from '../../adapters/words/plain-words.ts';
import type { ListenAddress } from './role-flag-kinds.ts';
import type { RoleFlags } from './role-flags.ts';

type Addresses = Pick<RoleFlags, 'metricsAddress' | 'healthAddress' | 'inspectorAddress'>;

type Served = Readonly<{ metrics: Metrics; health: Health; journal: Journal; log: Log }>;

export type Listening = Readonly<{
  /** By what is served there: where a flag said 0, the one that the system chose. What is turned off, or could not be served, is absent. */
  ports: Readonly<Partial<Record<'metrics' | 'health' | 'inspector', number>>>;
  close(): Promise<void>;
}>;

/** Listens wherever the flags say. Rejects with AddressUnusable for metrics and health; the inspector's is a warning (SPEC 1.2). */
export async function openServers(
  { metricsAddress, healthAddress, inspectorAddress }: Addresses,
  { metrics, health, journal, log }: Served,
): Promise<Listening> {
  const onFault = (error: unknown) =>
    log.error('a bug of the watchdog: a request for metrics, health or journal could not be answered', { error });
  const ports: { -readonly [Name in keyof Listening['ports']]: Listening['ports'][Name] } = {};
  const servers: HttpServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  const open = async (
    what: keyof Listening['ports'],
    address: ListenAddress | undefined,
    serving: Pick<HttpServerOptions, 'routes' | 'isForUs'>,
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
  try {
    await open('inspector', inspectorAddress, { routes: journalRoutes(journal), isForUs: isOwnHost });
  } catch (error) {
    const problem = errorWords(error);
    log.warn(`the journal is not served: ${problem}`, { line: 'the journal is not served', problem });
  }
  return { ports, close };
}
