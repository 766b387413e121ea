import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { delimiter, join } from 'node:path';
import { impersonationText } from './check-kubeconfig.ts';
import { kubeconfigCredentials } from './kubeconfig-credentials.ts';
import { type CredentialSource, readPlaced } from './credentials.ts';
import { readAuthorities } from './tls-material.ts';

/**
 * Finds how the seed is reached (SPEC 1.2): `--kubeconfig`, else `$KUBECONFIG`, else the pod's service account, else
 * `~/.kube/config`. Throws an Error for the operator where there is none. Only reading it shows whether it works. With a `context` it is
 * a kubeconfig in any case, and that context of it. With `as`, unless it is empty, the server judges each request as if that user had sent it.
 */
export function findCredentials(
  kubeconfigFlag: string | undefined,
  env: NodeJS.ProcessEnv,
  { as, asGroups = [], ...where }: Where & Readonly<{ as?: string | undefined; asGroups?: readonly string[] }> = {},
): CredentialSource {
  const source = ownCredentials(kubeconfigFlag, env, where);
  if (!as) return source;
  const user = impersonationText('--as', as);
  const all = asGroups.map((group) => impersonationText('--as-group', group));
  const groups = all.length === 0 ? {} : { 'impersonate-group': all };
  return {
    origin: source.origin,
    read: async (fresh) => {
      const own = await source.read(fresh);
      return { ...own, headers: { ...own.headers, 'impersonate-user': user, ...groups } };
    },
  };
}

type Where = Readonly<{ context?: string | undefined; serviceAccountDirectory?: string }>;

function ownCredentials(
  kubeconfigFlag: string | undefined,
  env: NodeJS.ProcessEnv,
  { context, serviceAccountDirectory }: Where,
): CredentialSource {
  const kubeconfig = (paths: readonly string[]) => kubeconfigCredentials(paths, { context });
  if (kubeconfigFlag) return kubeconfig([kubeconfigFlag]);

  // As with kubectl, it may be a list of files, some of which may be missing.
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const present = listed.filter((path) => existsSync(path));
  if (listed.length > 1 && present.length === 0)
    throw new Error(`no kubeconfig found: $KUBECONFIG names ${listed.join(', ')}, and none of them exists`);
  if (listed.length > 0) return kubeconfig(present.length > 0 ? present : listed);

  const inCluster = context === undefined ? inClusterCredentials(env, serviceAccountDirectory) : undefined;
  if (inCluster !== undefined) return inCluster;

  const ofHome = join(env['HOME'] ?? '', '.kube', 'config');
  if (env['HOME'] && existsSync(ofHome)) return kubeconfig([ofHome]);
  const home = env['HOME'] ? `there is no file ${ofHome}` : '$HOME is not set';
  throw new Error(
    `no kubeconfig found: --kubeconfig and $KUBECONFIG are not set, ${noServiceAccount(env)}, and ${home}`,
  );
}

/** The kubelet puts a pod's token here, with the authority of its cluster. */
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The pod's service account; undefined outside of a pod. The files are read anew each time, since the kubelet replaces them. */
function inClusterCredentials(
  env: NodeJS.ProcessEnv,
  directory: string = serviceAccountDirectory,
): CredentialSource | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port || !existsSync(join(directory, 'token'))) return undefined;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const text = (name: string) =>
    readPlaced(`the service account of the pod cannot be used: ${join(directory, name)}`, join(directory, name));
  return {
    origin: 'the service account of the pod',
    read: async () => {
      const [token, ca] = await Promise.all([text('token'), text('ca.crt')]);
      const place = `the service account of the pod, ${join(directory, 'ca.crt')}`;
      const { pem, skipped } = readAuthorities({ place, pem: ca });
      const warnings = skipped === undefined ? {} : { warnings: [skipped] };
      return { server, headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca: pem }, ...warnings };
    },
  };
}

function noServiceAccount(env: NodeJS.ProcessEnv): string {
  return env['KUBERNETES_SERVICE_HOST']
    ? 'this pod has no token of a service account (see automountServiceAccountToken)'
    : 'this is not a pod with a service account';
}
