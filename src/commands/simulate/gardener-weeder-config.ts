/** The weeder's configuration as gardenlet deploys it: etcd's dependants are the API servers, theirs all the others. */
export const gardenerWeederConfig = `
watchDuration: 5m0s
servicesAndDependantSelectors:
  etcd-main-client:
    podSelectors:
    - matchExpressions:
      - {key: gardener.cloud/role, operator: In, values: [controlplane]}
      - {key: role, operator: In, values: [apiserver]}
  kube-apiserver:
    podSelectors:
    - matchExpressions:
      - {key: gardener.cloud/role, operator: In, values: [controlplane]}
      - {key: role, operator: NotIn, values: [main, apiserver]}
`;
