import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { CredentialSource } from './credentials.ts';

/** Where the kubelet projects a pod's token, with the authority of its cluster. */
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The pod's service account; undefined outside of a pod. Reads the files anew each time, since the kubelet replaces them. */
export function inClusterCredentials(
  env: NodeJS.ProcessEnv,
  directory: string = serviceAccountDirectory,
): CredentialSource | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port || !existsSync(join(directory, 'token'))) return undefined;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    origin: 'the service account of the pod',
    read: async () => {
      const [token, ca] = await Promise.all([
        readFile(join(directory, 'token'), 'utf8'),
        readFile(join(directory, 'ca.crt'), 'utf8'),
      ]);
      return { server, headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } };
    },
  };
}
