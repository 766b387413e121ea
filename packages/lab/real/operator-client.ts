import {
  ApiException,
  ApiextensionsV1Api,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  DiscoveryV1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  type KubernetesObject,
  type V1ObjectMeta,
} from '@kubernetes/client-node';

/** The clients by which somebody with a kubeconfig works on a cluster: those that client-node has for anybody. */
export type OperatorClient = Readonly<{
  config: KubeConfig;
  core: CoreV1Api;
  apps: AppsV1Api;
  coordination: CoordinationV1Api;
  definitions: ApiextensionsV1Api;
  discovery: DiscoveryV1Api;
  custom: CustomObjectsApi;
  /** Takes objects of any kind, by the `apiVersion` and `kind` that they bear. */
  objects: KubernetesObjectApi;
}>;

/** The clients by the text of a kubeconfig. */
export function operatorOf(kubeconfig: string): OperatorClient {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return operatorClient(config);
}

export function operatorClient(config: KubeConfig): OperatorClient {
  return {
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    coordination: config.makeApiClient(CoordinationV1Api),
    definitions: config.makeApiClient(ApiextensionsV1Api),
    discovery: config.makeApiClient(DiscoveryV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
    objects: KubernetesObjectApi.makeApiClient(config),
  };
}

/** The last argument of a `patch…`: client-node would send a JSON patch, a list of operations. */
export const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

/** The answer, or undefined where the server refused with one of these codes. Any other refusal is thrown. */
export async function tolerating<Answer>(
  codes: readonly number[],
  request: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiException && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** Every object that scenarios put into a cluster bears it, so that it can be told from what is somebody else's. */
export const scenarioLabel = 'dependency-watchdog.gardener.cloud/scenario';

/** Creates an object that bears our label; one that is there already stays as it is. */
export async function apply({ objects }: OperatorClient, object: KubernetesObject): Promise<void> {
  const metadata: V1ObjectMeta = Object.assign({}, object.metadata);
  metadata.labels = { ...metadata.labels, [scenarioLabel]: 'true' };
  await tolerating([409], objects.create({ ...object, metadata }));
}
