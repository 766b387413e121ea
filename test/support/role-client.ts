import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import { seedClients, type SeedClientParts } from '../../src/commands/role/seed-clients.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';

/** A role's client of an embedded seed, in this process and over TLS. */
export type RoleClient = Readonly<{
  client: KubeClient;
  /** Ends as in a crash: waiting requests are never sent, and sent ones are cut half-way. */
  crash(): void;
}>;

/** `token` belongs to a user of the seed. `server` is where the seed is reached; by default the seed itself. */
export function roleClient(
  { api }: EmbeddedSeed,
  token: string,
  parts: Pick<SeedClientParts, 'clock' | 'rate' | 'hooks'>,
  server: string = api.url,
): RoleClient {
  const read = () =>
    Promise.resolve({
      server,
      headers: { authorization: `Bearer ${token}` },
      tls: { ca: api.certificates.ca },
    });
  const ending = new AbortController();
  const clients = seedClients({ ...parts, credentials: { origin: 'a test', read }, userAgent: 'test' });
  const client = clients({ granted: () => !ending.signal.aborted, ended: ending.signal });
  return { client, crash: () => ending.abort() };
}
