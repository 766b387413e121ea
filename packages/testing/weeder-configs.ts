import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';

/** As Gardener configures it: the configuration that `deploy/base/weeder/dep-config.yaml` gives. */
export const gardenerWeederConfig: WeederConfig = {
  watchDuration: 300_000,
  services: [
    { name: 'etcd-main-client', podSelectors: ['gardener.cloud/role in (controlplane),role in (apiserver)'] },
    { name: 'kube-apiserver', podSelectors: ['gardener.cloud/role in (controlplane),role notin (apiserver,main)'] },
  ],
};
