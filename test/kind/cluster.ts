import { delimiter } from 'node:path';
import {
  KubeConfig,
  makeInformer,
  type KubernetesObject,
  type ListPromise,
  type V1ObjectMeta,
} from '@kubernetes/client-node';
import { operatorClient, tolerating, type OperatorClient } from '../../hack/real/operator-client.ts';
import type { Credentials } from '../../src/adapters/credentials/credentials.ts';
import { kubeconfigCredentials } from '../../src/adapters/credentials/kubeconfig-credentials.ts';

/** Every object that the scenarios put into a cluster bears it, so that it can be told from what is somebody else's. */
export const scenarioLabel = 'dependency-watchdog.gardener.cloud/scenario';

/** An object as a server has it: with a name and a UID. */
export type Stored<Item extends KubernetesObject> = Item & { metadata: V1ObjectMeta & { name: string; uid: string } };

/** Hears what a collection has at first, and each change after that. */
export type Listeners<Item extends KubernetesObject> = Readonly<{
  changed: (object: Stored<Item>) => void;
  deleted?: (object: Stored<Item>) => void;
}>;

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
  async apply(object: KubernetesObject): Promise<void> {
    const metadata: V1ObjectMeta = Object.assign({}, object.metadata);
    metadata.labels = { ...metadata.labels, [scenarioLabel]: 'true' };
    await tolerating([409], this.operator.objects.create({ ...object, metadata }));
  }

  /** Follows a collection until the signal comes; a watch that breaks is begun again. */
  follow<Item extends KubernetesObject>(
    path: string,
    list: ListPromise<Item>,
    { changed, deleted }: Listeners<Item>,
    signal: AbortSignal,
  ): void {
    const informer = makeInformer(this.operator.config, path, list);
    // Every object that a server sends has a name and a UID.
    informer.on('add', (object) => changed(object as Stored<Item>));
    informer.on('update', (object) => changed(object as Stored<Item>));
    informer.on('delete', (object) => deleted?.(object as Stored<Item>));
    informer.on('error', (error: unknown) => {
      if (signal.aborted) return;
      process.stderr.write(`the test's watch on ${path} broke: ${String(error)}\n`);
      setTimeout(() => {
        if (!signal.aborted) void informer.start();
      }, 500);
    });
    signal.addEventListener('abort', () => void informer.stop());
    void informer.start();
  }

  /** A bearer token of a ServiceAccount for two hours, as the API server issues it. */
  async tokenOf(namespace: string, account: string): Promise<string> {
    const body = { spec: { audiences: [], expirationSeconds: 7_200 } };
    const { core } = this.operator;
    const { status } = await core.createNamespacedServiceAccountToken({ name: account, namespace, body });
    return status!.token!;
  }
}
