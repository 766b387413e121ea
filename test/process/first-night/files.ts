/** A prober's configuration of few words. */
export const proberConfig = `kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 30s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  optional: false
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

export const weederConfig = `watchDuration: 5m
servicesAndDependantSelectors:
  etcd-main-client:
    podSelectors:
    - matchLabels: {role: apiserver}
`;

/** A kubeconfig whose cluster and user hold these fields, as YAML in braces. */
export function kubeconfigOf(cluster: string, user = '{token: 0123456789abcdef}'): string {
  return `apiVersion: v1
kind: Config
current-context: seed
contexts: [{name: seed, context: {cluster: seed, user: admin}}]
clusters: [{name: seed, cluster: ${cluster}}]
users: [{name: admin, user: ${user}}]
`;
}

/** What every run of a role needs; nothing listens on a port that somebody else may have. */
export const quiet = '--metrics-bind-addr=0 --health-bind-addr=0 --inspector-bind-addr=0';

/** Both files, and a seed that nobody serves: port 1 is never listened on here. */
export const files = {
  'config.yaml': proberConfig,
  'weeder.yaml': weederConfig,
  'nobody.kubeconfig': kubeconfigOf('{server: "https://127.0.0.1:1"}'),
} as const;

export const prober = `prober --config-file={dir}/config.yaml --kubeconfig={dir}/nobody.kubeconfig`;
export const weeder = `weeder --config-file={dir}/weeder.yaml --kubeconfig={dir}/nobody.kubeconfig`;
