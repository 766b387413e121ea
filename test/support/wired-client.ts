import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import type { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { RequestSeen } from '../../src/adapters/kube/kube-client.ts';
import { RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import type { Rate } from '../../src/adapters/seed-client/rate.ts';
import { SeedConnection } from '../../src/adapters/seed-client/seed-connection.ts';
import type { Dial } from '../../src/adapters/seed-client/undici-pool.ts';
import { UndiciKubeClient, type SeedClientOptions } from '../../src/adapters/seed-client/undici-kube-client.ts';
import { scriptedServer, type Received, type ScriptedServer } from '@dwd/testing/scripted-server.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';

type WiredOptions = Partial<Omit<SeedClientOptions, 'limit'>> &
  Readonly<{
    rate?: Rate;
    /** In place of those that lead to the server. */
    credentials?: Partial<Credentials>;
    /** A server that stands already. */
    server?: ScriptedServer;
    dial?: Dial;
  }>;

/** It bears the number of the reading that brought it. */
export const token = 'a-token-that-nobody-may-see';

/** The seed's client on a server that answers as the test says, with what it reports. Both are closed when the test is over. */
export async function wiredClient(
  answer: (request: Received, response: ServerResponse) => void,
  { rate = 'unlimited', credentials: instead, server: standing, dial, ...options }: WiredOptions = {},
) {
  const clock = new VirtualClock(1_000_000);
  const server = standing ?? (await scriptedServer(answer));
  const credentials: { now: Credentials; read: number } = {
    now: { server: server.url, headers: {}, tls: { ca: server.ca }, ...instead },
    read: 0,
  };
  const read = async (): Promise<Credentials> => {
    credentials.read += 1;
    const bearer = { authorization: `Bearer ${token}${credentials.read}` };
    const { now } = credentials;
    // As files do, they take longer than it takes to send what was on its way.
    await settled();
    return { ...now, headers: { ...bearer, ...now.headers } };
  };
  const connection = new SeedConnection({ origin: 'a test', read }, clock, undefined, dial);
  const seen: RequestSeen[] = [];
  const throttled: string[] = [];
  const client = new UndiciKubeClient({
    connection,
    clock,
    limit: new RateLimit(clock, rate),
    userAgent: 'dependency-watchdog/test',
    onRequest: (one) => seen.push(one),
    onRequestThrottled: () => throttled.push('server'),
    onRequestHeld: ({ by, lane }) => throttled.push(`${by} ${lane}`),
    ...options,
  });
  onTestFinished(async () => {
    await connection.close();
    await server.close();
  });
  return { clock, server, client, credentials, seen, throttled };
}

/** The error that a promise rejects with. It listens from now on, so that no rejection is unhandled. */
export function failureOf(work: Promise<unknown>): Promise<KubeError> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as KubeError,
  );
}
