import type { RoleName } from '../domain/names.ts';

/** What Gardener has the prober scale, for both generations. */
const dependants = `# What a shoot must do without while it is cut off. Scaling runs level by level, from 0 upwards.
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  # Whether a control plane may lack it. Default: false.
  optional: false
  # Up first, since the others need it; down last.
  scaleUp: {level: 0, timeout: 30s}
  scaleDown: {level: 1, timeout: 30s}
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  optional: false
  # It waits for nodes that come back, so that it does not replace their machines.
  scaleUp: {level: 1, initialDelay: 30s, timeout: 30s}
  scaleDown: {level: 0, timeout: 30s}
- ref: {apiVersion: apps/v1, kind: Deployment, name: cluster-autoscaler}
  optional: true
  scaleUp: {level: 2, timeout: 30s}
  scaleDown: {level: 0, timeout: 30s}
`;

/** Whose configuration an example is; `two-paths` is the prober's of the older generation (SPEC 2.2). */
export type ExampleName = RoleName | 'two-paths';

/** A configuration of each role to begin with (SPEC 1.1). Every key that an operator may want is there, with its default. */
export const exampleConfigs: Readonly<Record<ExampleName, string>> = {
  prober: `# The prober's configuration. Durations are written as 30s or 1m30s.

# The Secret in each shoot's namespace whose key "kubeconfig" leads to the shoot's API server.
kubeConfigSecretName: shoot-access-dependency-watchdog-probe

# From one probe of a shoot to the next. Default: 10s.
probeInterval: 30s
# Before a shoot's first probe. Default: 30s.
initialDelay: 30s
# How long one whole probe may take. Default: 30s.
probeTimeout: 30s

# The kube-controller-manager's node-monitor-grace-period. A lease is expired after three
# quarters of it. Default: 40s.
kcmNodeMonitorGraceDuration: 40s
# A shoot is cut off when this part of its leases is expired, or more. Default: 0.6.
nodeLeaseFailureFraction: 0.6
# How many such verdicts in a row it takes to scale down, and to scale up again. Default: 1.
failureThreshold: 1
successThreshold: 1
# Waits are lengthened at random by up to this part of them. Default: 0.2.
backoffJitterFactor: 0.2

${dependants}`,
  'two-paths': `# The prober's configuration for shoots that are judged by two paths to their API server.
# Durations are written as 30s or 1m30s.

# The Secrets in each shoot's namespace whose key "kubeconfig" leads to the shoot's API server:
# straight to it, and through the load balancer, as the shoot's kubelets go.
internalKubeConfigSecretName: shoot-access-dependency-watchdog-internal-probe
externalKubeConfigSecretName: shoot-access-dependency-watchdog-external-probe

# From one probe of a shoot to the next. A longer one finds an outage too late. Default: 10s.
probeInterval: 10s
# Before a shoot's first probe. Default: 30s.
initialDelay: 30s
# How long one whole probe may take. An eighth of the grace bounds it too. Default: 30s.
probeTimeout: 5s

# The kube-controller-manager's node-monitor-grace-period. Default: 40s.
kcmNodeMonitorGraceDuration: 40s
# How often in a row the external path must fail, while the internal one answers, to scale down.
# Default: 3.
failureThreshold: 3
# How often in a row both must answer to scale up again. Default: 1.
successThreshold: 1
# How long a shoot is left alone once its internal path has failed failureThreshold times in a
# row. Default: 30s.
internalProbeFailureBackOffDuration: 30s
# Waits are lengthened at random by up to this part of them. Default: 0.2.
backoffJitterFactor: 0.2

${dependants}`,
  weeder: `# The weeder's configuration. Durations are written as 30s or 1m30s.

# For how long dependants are looked after once their service is available again. Default: 5m0s.
watchDuration: 5m0s

# Services of the shoots' control planes, and the pods that depend on them. A pod depends on a
# service if any of its podSelectors selects it. All that one selector requires must hold.
servicesAndDependantSelectors:
  etcd-main-client:
    podSelectors:
    - matchLabels: {gardener.cloud/role: controlplane, role: apiserver}
  kube-apiserver:
    podSelectors:
    - matchExpressions:
      - {key: gardener.cloud/role, operator: In, values: [controlplane]}
      - {key: role, operator: NotIn, values: [main, apiserver]}
`,
};
