import { parse } from 'yaml';
import type { CredentialSource } from '../../adapters/credentials/credentials.ts';
import { readKubeconfig } from '../../domain/prober/kubeconfig.ts';

/** The way to the embedded seed, out of a kubeconfig that it gave; nothing of it goes through a file. */
export function embeddedCredentials(kubeconfig: string): CredentialSource {
  const reading = readKubeconfig(parse(kubeconfig));
  if (!reading.usable) throw new Error(`the embedded seed's own kubeconfig cannot be used: ${reading.problem}`);
  const { server, ca, token = '' } = reading.credentials;
  const credentials = {
    server: `https://${server.host}:${server.port}`,
    headers: { authorization: `Bearer ${token}` },
    tls: { ca },
  };
  return { origin: 'the embedded seed', read: () => Promise.resolve(credentials) };
}
