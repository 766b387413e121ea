import { journalRoutes, metricsRoutes } from '../../adapters/http/routes.ts';
import type { Health } from '../../adapters/http/health.ts';
import { serveHttp, type HttpServer } from '../../adapters/http/http-server.ts';
import { isOwnHost } from '../../adapters/http/own-host.ts';
import type { Journal } from '../../adapters/journal/journal.ts';
import type { Log } from '../../adapters/log/log.ts';
import type { Metrics } from '../../adapters/metrics/metrics.ts';
import type { ProberFlags } from '../prober-flags.ts';

type Served = Readonly<{ metrics: Metrics; health: Health; journal: Journal; log: Log }>;

/** Listens wherever the flags say. Rejects with AddressUnusable for metrics and health; the inspector's is a warning (SPEC 1.2). */
export async function openServers(
  flags: ProberFlags,
  { metrics, health, journal, log }: Served,
): Promise<readonly HttpServer[]> {
  const onFault = (error: unknown) => log.error('a request could not be answered', { error });
  const open: HttpServer[] = [];
  try {
    if (flags.metricsAddress !== undefined)
      open.push(
        await serveHttp({
          address: flags.metricsAddress,
          flag: '--metrics-bind-addr',
          routes: metricsRoutes(metrics),
          onFault,
        }),
      );
    if (flags.healthAddress !== undefined)
      open.push(
        await serveHttp({ address: flags.healthAddress, flag: '--health-bind-addr', routes: health.routes, onFault }),
      );
  } catch (error) {
    await Promise.all(open.map((server) => server.close()));
    throw error;
  }
  if (flags.inspectorAddress === undefined) return open;
  try {
    const flag = '--inspector-bind-addr';
    open.push(
      await serveHttp({
        address: flags.inspectorAddress,
        flag,
        routes: journalRoutes(journal),
        isForUs: isOwnHost,
        onFault,
      }),
    );
  } catch (error) {
    log.warn('the journal is not served', { problem: error instanceof Error ? error.message : String(error) });
  }
  return open;
}
