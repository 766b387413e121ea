import { delimiter } from 'node:path';
import { KubeConfig, type KubernetesObject } from '@kubernetes/client-node';
import { apply, operatorClient, type OperatorClient } from '../../real/operator-client.ts';
import type { Credentials } from 'dependency-watchdog/adapters/credentials/credentials.ts';
import { kubeconfigCredentials } from 'dependency-watchdog/adapters/credentials/kubeconfig-credentials.ts';

/** An API server, seen as the user of a kubeconfig: for the test an administrator, who comes past proxy and program. */
export class Cluster {
  readonly credentials: Credentials;
  readonly operator: OperatorClient;

  private constructor(credentials: Credentials, operator: OperatorClient) {
    this.credentials = credentials;
    this.operator = operator;
  }

  /** One file, or several as `$KUBECONFIG` lists them. */
  static async by(kubeconfig: string): Promise<Cluster> {
    const [first = '', ...others] = kubeconfig.split(delimiter);
    const credentials = await kubeconfigCredentials([first, ...others]).read(true);
    const config = new KubeConfig();
    config.loadFromFile(first);
    for (const file of others) {
      const further = new KubeConfig();
      further.loadFromFile(file);
      config.mergeConfig(further, true);
    }
    return new Cluster(credentials, operatorClient(config));
  }

  /** Creates an object that bears our label; one that is there already stays as it is. */
  apply(object: KubernetesObject): Promise<void> {
    return apply(this.operator, object);
  }

  /** A bearer token of a ServiceAccount for two hours, as the API server issues it. */
  async tokenOf(namespace: string, account: string): Promise<string> {
    const body = { spec: { audiences: [], expirationSeconds: 7_200 } };
    const { core } = this.operator;
    const { status } = await core.createNamespacedServiceAccountToken({ name: account, namespace, body });
    return status!.token!;
  }
}
