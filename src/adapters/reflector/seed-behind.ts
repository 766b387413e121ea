import { isOlder } from '../../domain/resource-version.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { sleepUntil } from '../clock/deadline.ts';
import type { KubeClient, LaneName } from '../kube/kube-client.ts';
import { readListPage } from './wire-format.ts';

/** After a question that was not answered. */
const pause: Millis = 5_000;

type Asking = Readonly<{
  client: KubeClient;
  clock: Clock;
  path: string;
  query?: Readonly<Record<string, string>>;
  lane: LaneName;
  timeout: Millis;
}>;

/**
 * Whether the seed's newest version is older than one that it has shown: it was restored from a backup (SPEC 6.6). A list of a single object
 * tells. It is asked for until it is answered; false once the signal is aborted. Never fails.
 */
export async function isSeedBehind(
  resourceVersion: string,
  { client, clock, path, query, lane, timeout }: Asking,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const begun = clock.now();
    const body = await client
      .request({ method: 'GET', path, query: { ...query, limit: '1' }, lane, timeout, signal })
      .catch(() => undefined);
    if (signal.aborted) return false;
    const seen = readListPage(body)?.resourceVersion;
    if (seen !== undefined) return isOlder(seen, resourceVersion);
    await sleepUntil(clock, begun + pause, signal);
  }
  return false;
}
