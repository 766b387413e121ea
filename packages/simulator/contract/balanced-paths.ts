import type { LoadBalancer } from '../api/load-balancer.ts';
import { issueCertificates } from '../api/certificates.ts';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { BalancedPathsStage } from './shoot-paths.contract.ts';

/** Two kubeconfigs of one user: straight to the API server, and through the load balancer. `clock`: of the questions. */
export async function balancedPaths(
  shoot: string,
  kubeconfig: string,
  loadBalancer: LoadBalancer,
  { clock, wait }: Pick<BalancedPathsStage, 'clock' | 'wait'>,
): Promise<BalancedPathsStage> {
  await loadBalancer.heal();
  const external = kubeconfig.replace(/^(\s*server: ).*$/m, `$1${loadBalancer.url}`);
  const kubeconfigs: Readonly<Record<ShootPath, string>> = { internal: kubeconfig, external };
  const secrets = new Map<string, string>();
  const setKubeconfig = (path: ShootPath, text: string | undefined): void => {
    const { internalKubeConfigSecretName: internal, externalKubeConfigSecretName } = twoPathConfig;
    const name = path === 'internal' ? internal : externalKubeConfigSecretName;
    if (text === undefined) secrets.delete(name);
    else secrets.set(name, text);
  };
  setKubeconfig('internal', kubeconfig);
  setKubeconfig('external', external);
  return {
    api: kubeShootApi({
      kubeconfigOf: (_, name) => secrets.get(name),
      config: twoPathConfig,
      clock,
      onRequest: () => undefined,
    }),
    shoot,
    clock,
    wait,
    loadBalancer,
    kubeconfigs,
    setKubeconfig,
    otherAuthority: (await issueCertificates('other')).ca,
  };
}
