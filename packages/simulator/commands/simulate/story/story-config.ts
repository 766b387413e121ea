import { readConfigFile } from 'dependency-watchdog/adapters/config/config-file.ts';
import { readYamlConfig } from 'dependency-watchdog/adapters/config/yaml-config.ts';
import type { ConfigReading } from 'dependency-watchdog/domain/config/config-remark.ts';
import { refusalReport, warningLines } from 'dependency-watchdog/commands/config-report.ts';
import { usualConfigName, type StorySurroundings } from './story-run.ts';

/** The prober's configuration as gardenlet deploys it. `simulate` uses it when the operator gives none. */
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

/** The weeder's configuration as gardenlet deploys it. The API servers depend on etcd; all other pods depend on the API servers. */
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

/** Reads the operator's configuration, or Gardener's `usual` one. If it is wrong, prints why and returns undefined. */
export async function readStoryConfig<Config>(
  file: string | undefined,
  usual: string,
  read: (written: unknown) => ConfigReading<Config>,
  { io }: StorySurroundings,
): Promise<Config | undefined> {
  const reading = file === undefined ? readYamlConfig(usual, read) : await readConfigFile(file, read);
  const lines = reading.ok ? warningLines(reading.warnings) : refusalReport(file ?? usualConfigName, reading);
  for (const line of lines) io.err(line);
  return reading.ok ? reading.config : undefined;
}
