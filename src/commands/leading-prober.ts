import { LeaseClient } from '../adapters/election/lease-client.ts';
import { readLeaseRecord, leaseNameOf } from '../adapters/election/lease-record.ts';
import type { KubeClient } from '../adapters/kube/kube-client.ts';
import { seconds } from '../adapters/words/plain-words.ts';
import { readInstant, type Instant, type Millis } from '../domain/time.ts';
import type { Clock } from '../effects/ports.ts';
import type { RoleName } from '../domain/names.ts';

/** The operator's clock may be ahead of the prober's by so much. We look only once, so we cannot rely on our own clock alone (SPEC 8). */
const ahead: Millis = 60_000;

/** A living leader renews its Lease every 2 s, and gives up its lead where it could not for 10 s: the defaults of client-go. */
const alive: Millis = 10_000;

/** What a role's Lease tells: who leads, or that nobody does; `noLease`: there is none, so nobody elects there. */
export type Leading =
  | Readonly<{ is: 'noLease' | 'nobody' }>
  | Readonly<{ is: 'led'; holder: string; renewedAt: Instant; endsAt: Instant }>;

/** Who holds the role's Lease and renewed it lately. Rejects with KubeError. */
export async function leadingProber(
  client: KubeClient,
  clock: Clock,
  namespace: string,
  role: RoleName = 'prober',
): Promise<Leading> {
  const lease = await new LeaseClient(client, namespace, leaseNameOf(role)).get(new AbortController().signal);
  if (lease === undefined) return { is: 'noLease' };
  const { holderIdentity: holder, renewTime, leaseDurationSeconds } = readLeaseRecord(lease);
  const renewedAt = readInstant(renewTime);
  if (holder === '' || renewedAt === undefined) return { is: 'nobody' };
  const endsAt = renewedAt + leaseDurationSeconds * 1_000 + ahead;
  return clock.now() < endsAt ? { is: 'led', holder, renewedAt, endsAt } : { is: 'nobody' };
}

/** Who leads, and what to do about it, in sentences. */
export function leaderWords(
  { holder, renewedAt, endsAt }: Extract<Leading, { is: 'led' }>,
  namespace: string,
  now: Instant,
  role: RoleName = 'prober',
): Readonly<{ leads: string; remedy: string }> {
  const lease = `its Lease ${namespace}/${leaseNameOf(role)}`;
  const age = now - renewedAt;
  if (age < alive)
    return {
      leads: `the ${role} ${holder} leads: it renewed ${lease} ${age < 1_000 ? 'just now' : `${seconds(age)} ago`}.`,
      remedy: 'End it first, or say --force.',
    };
  return {
    leads: `the ${role} ${holder} has not renewed ${lease} for ${seconds(age)}, but may still lead.`,
    remedy: `If it is dead, wait ${Math.ceil((endsAt - now) / 1_000)} s, or say --force.`,
  };
}
