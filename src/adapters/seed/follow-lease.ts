import { firstValueFrom, fromEvent, merge } from 'rxjs';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube-error.ts';
import type { LeaseClient } from './lease-client.ts';

/** A Lease in use changes every few seconds, and one that is not is polled. */
const longestSilence: Millis = 60_000;

/** Where the watch is refused, it will be refused again. */
const againAfter: Millis = 10_000;

/**
 * Tells the Lease as it is and at each change, undefined where it is gone, until the signal aborts. No promise is made:
 * whoever follows has to ask as well, and hears from that what is wrong with the server.
 */
export async function followLease(
  leases: LeaseClient,
  clock: Clock,
  signal: AbortSignal,
  see: (lease: unknown) => void,
): Promise<void> {
  const left$ = fromEvent(signal, 'abort');
  while (!signal.aborted) {
    try {
      for await (const lease of leases.watch(signal, longestSilence)) {
        if (signal.aborted) return;
        see(lease);
      }
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
    }
    if (!signal.aborted) await firstValueFrom(merge(clock.wakeAt(clock.now() + againAfter), left$));
  }
}
