/** The prober's configuration as gardenlet deploys it: what `simulate` works by where the operator gives no other. */
export const gardenerProberConfig = `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: 30s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  optional: false
  scaleUp: {level: 0}
  scaleDown: {level: 1}
- ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}
  optional: false
  scaleUp: {level: 1, initialDelay: 30s}
  scaleDown: {level: 0}
- ref: {apiVersion: apps/v1, kind: Deployment, name: cluster-autoscaler}
  optional: true
  scaleUp: {level: 2}
  scaleDown: {level: 0}
`;
