import { stringify } from 'yaml';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';

/**
 * The kubeconfig of a token's bearer for the server of an administrator's credentials, all inline. With a port of a proxy it
 * leads there, and the certificate is still checked for the name that the server has.
 */
export function bearerKubeconfig(
  name: string,
  { server, tls }: Credentials,
  token: string,
  proxyPort?: number,
): string {
  const url = new URL(server);
  const host = tls.servername ?? url.hostname;
  if (proxyPort !== undefined) url.host = `127.0.0.1:${proxyPort}`;
  const cluster = {
    server: url.href.replace(/\/$/, ''),
    'certificate-authority-data': Buffer.from(tls.ca ?? '').toString('base64'),
    ...(host === '127.0.0.1' || host === 'localhost' ? {} : { 'tls-server-name': host }),
  };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      users: [{ name, user: { token } }],
    },
    { lineWidth: 0 },
  );
}
