import {
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  DiscoveryV1Api,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

/** `ca` is PEM. */
export type ApiServerReach = Readonly<{ url: string; ca: string; token: string }>;

export type OperatorClient = ReturnType<typeof operatorClient>;

/**
 * What an operator does by hand, in tests: through the clients of @kubernetes/client-node, which nobody here wrote. So each
 * test also shows that the embedded seed serves a foreign client.
 */
export function operatorClient(reach: ApiServerReach) {
  const config = operatorConfig(reach);
  return {
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    coordination: config.makeApiClient(CoordinationV1Api),
    discovery: config.makeApiClient(DiscoveryV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
  };
}

/** Has a patch merged (RFC 7396). Unless told, client-node sends the first media type that the API knows: a JSON patch. */
export const merging = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

function operatorConfig({ url, ca, token }: ApiServerReach): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'seed', server: url, caData: Buffer.from(ca).toString('base64'), skipTLSVerify: false },
    { name: 'operator', token },
  );
  return config;
}
