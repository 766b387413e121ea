import type { KubeClient, RequestSeen, WritePermission } from '../../adapters/kube/kube-client.ts';
import type { CredentialSource } from '../../adapters/credentials/credentials.ts';
import { RateLimit } from '../../adapters/seed-client/rate-limit.ts';
import type { Rate, SlowdownHooks } from '../../adapters/seed-client/rate.ts';
import { SeedConnection } from '../../adapters/seed-client/seed-connection.ts';
import { UndiciKubeClient, type Held } from '../../adapters/seed-client/undici-kube-client.ts';
import type { Dial } from '../../adapters/seed-client/undici-pool.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/** What gardenlet sets `--kube-api-qps` and `--kube-api-burst` of the prober to. */
export const gardenerRate = { qps: 20, burst: 100 } as const satisfies Rate;

export type SeedClientParts = Readonly<{
  clock: Clock;
  credentials: CredentialSource;
  rate: Rate;
  userAgent: string;
  /** For every request; each has its own unless given. */
  timeout?: Millis | undefined;
  /** TLS connections unless given. */
  dial?: Dial | undefined;
  /** None where nobody counts or logs. */
  hooks?: Partial<SeedClientHooks>;
  /** Of those who scale up. */
  slowed?: SlowdownHooks | undefined;
}>;

/** For counters and the log; none of them decides anything. */
export type SeedClientHooks = Readonly<{
  onSeedRequest: (seen: RequestSeen) => void;
  onRequestThrottled: () => void;
  onRequestHeld: (held: Held) => void;
  /** The credentials were to be read again; with the problem where the former ones stay in use. */
  onCredentialsRead: (problem: string | undefined) => void;
}>;

const noHooks: SeedClientHooks = {
  onSeedRequest: () => undefined,
  onRequestThrottled: () => undefined,
  onRequestHeld: () => undefined,
  onCredentialsRead: () => undefined,
};

/**
 * Makes clients of one seed. They share its connections and its rate limit, and differ in when they may write: the election
 * must write before anybody leads, everything else only while this process leads.
 */
export function seedClients({
  clock,
  credentials,
  rate,
  userAgent,
  timeout,
  dial,
  hooks: given,
  slowed,
}: SeedClientParts): (permission?: WritePermission) => KubeClient {
  const hooks = { ...noHooks, ...given };
  const connection = new SeedConnection(credentials, clock, hooks.onCredentialsRead, dial);
  const limit = new RateLimit(clock, rate, slowed);
  return (permission) =>
    new UndiciKubeClient({
      connection,
      limit,
      clock,
      userAgent,
      timeout,
      permission,
      onRequest: hooks.onSeedRequest,
      onRequestThrottled: hooks.onRequestThrottled,
      onRequestHeld: hooks.onRequestHeld,
    });
}
