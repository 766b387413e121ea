import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import { KubeError } from '../../adapters/kube/kube-error.ts';
import { readInstant, type Millis } from '../../domain/time.ts';
import { numberAt, textAt } from '../../domain/value-at.ts';
import type { Clock } from '../../effects/ports.ts';

/** An operator's machine may be ahead of the prober's by so much; it looks once, and cannot go by its own clock alone (SPEC 8). */
const ahead: Millis = 60_000;

/** Who holds the prober's Lease and has renewed it lately; undefined where nobody does. Rejects with KubeError. */
export async function leadingProber(client: KubeClient, clock: Clock, namespace: string): Promise<string | undefined> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases/dwd-prober-leader-election`;
  try {
    const lease = await client.request({ method: 'GET', path });
    const holder = textAt(lease, 'spec', 'holderIdentity');
    const renewedAt = readInstant(textAt(lease, 'spec', 'renewTime'));
    const lasts = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1_000;
    return holder !== '' && renewedAt !== undefined && clock.now() < renewedAt + lasts + ahead ? holder : undefined;
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}
