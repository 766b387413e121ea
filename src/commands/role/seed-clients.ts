import type { KubeClient, RequestSeen, WritePermission } from '../../adapters/kube/kube-client.ts';
import type { CredentialSource } from '../../adapters/credentials/credentials.ts';
import { RateLimit, type RateFlags } from '../../adapters/seed-client/rate-limit.ts';
import { SeedConnection } from '../../adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient, type HeldBy } from '../../adapters/seed-client/undici-kube-client.ts';
import type { Clock } from '../../effects/ports.ts';

export type SeedClientParts = Readonly<{
  clock: Clock;
  credentials: CredentialSource;
  rate: RateFlags;
  userAgent: string;
  /** For counters and the log. */
  told: Readonly<{
    seedRequest: (seen: RequestSeen) => void;
    onRequestThrottled: () => void;
    onRequestHeld: (by: HeldBy) => void;
    credentials: (line: string) => void;
  }>;
}>;

/**
 * Gives clients of one seed, which share its connections and its rate limit and differ in what they may write: what
 * elects the leader must write before anybody leads, everything else only while it does.
 */
export function seedClients({
  clock,
  credentials,
  rate,
  userAgent,
  told,
}: SeedClientParts): (permission?: WritePermission) => KubeClient {
  const connection = new SeedConnection(credentials, clock, told.credentials);
  const limit = new RateLimit(clock, rate);
  return (permission) =>
    new UndiciKubeClient({
      connection,
      limit,
      clock,
      userAgent,
      permission,
      onRequest: told.seedRequest,
      onRequestThrottled: told.onRequestThrottled,
      onRequestHeld: told.onRequestHeld,
    });
}
