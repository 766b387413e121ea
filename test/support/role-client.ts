import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import { seedClients, type SeedClientParts } from '../../src/commands/role/seed-clients.ts';
import type { EmbeddedSeed } from '../../src/simulator/embedded-seed.ts';

/** A role's client of an embedded seed, in this process and over TLS. */
export type RoleClient = Readonly<{
  client: KubeClient;
  /** As a crash: what waits is never sent, and what was sent is cut half-way. */
  crash(): void;
}>;

/** `token`: of a user of the seed. `server`: where it is reached, by itself unless told. */
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
