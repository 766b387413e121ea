import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { CredentialSource } from './credentials.ts';
import { inClusterCredentials } from './in-cluster-credentials.ts';
import { kubeconfigCredentials } from './kubeconfig-credentials.ts';

/**
 * Finds the way to the seed (SPEC 1.2): `--kubeconfig`, else `$KUBECONFIG`, else the pod's service account, else
 * `~/.kube/config`. Throws an Error for the operator where there is none. Whether it works shows when it is read.
 */
export function findCredentials(
  kubeconfigFlag: string | undefined,
  env: NodeJS.ProcessEnv,
  serviceAccountDirectory?: string,
): CredentialSource {
  if (kubeconfigFlag) return kubeconfigCredentials([kubeconfigFlag]);

  // As for kubectl it may be a list, and its files need not all be there.
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const present = listed.filter((path) => existsSync(path));
  if (listed.length > 0) return kubeconfigCredentials(present.length > 0 ? present : listed);

  const inCluster = inClusterCredentials(env, serviceAccountDirectory);
  if (inCluster !== undefined) return inCluster;

  const ofHome = join(env['HOME'] ?? '', '.kube', 'config');
  if (env['HOME'] && existsSync(ofHome)) return kubeconfigCredentials([ofHome]);
  throw new Error(
    `no way to the seed: no --kubeconfig, no $KUBECONFIG, no service account of a pod, and no ${env['HOME'] ? ofHome : '$HOME'}`,
  );
}
