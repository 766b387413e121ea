import { kubeconfigText } from '@dwd/simulator/api/certificates.ts';
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
  const text = kubeconfigText({ name, server: url.href.replace(/\/$/, ''), ca: tls.ca ?? '', token });
  if (host === '127.0.0.1' || host === 'localhost') return text;
  return text.replace(/^( *)server: .*$/m, `$&\n$1tls-server-name: ${host}`);
}
