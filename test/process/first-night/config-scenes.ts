import { files, kubeconfigOf, prober, proberConfig, quiet, weeder, weederConfig } from './files.ts';
import type { Scene } from './scene.ts';

const given = (text: string) => ({ files: { ...files, 'config.yaml': text } });
const validate = 'validate --config-file={dir}/config.yaml';

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: dependency-watchdog-prober-config}
data:
  dep-config.yaml: |
${proberConfig.replaceAll(/^/gm, '    ')}`;

export const configScenes: readonly Scene[] = [
  {
    title: 'asks what a configuration means',
    args: validate,
    ...given(proberConfig),
    says: /can be used by the prober/,
    code: 0,
  },
  {
    title: "asks what a weeder's configuration means",
    args: validate,
    ...given(weederConfig),
    says: /can be used by the weeder/,
    code: 0,
  },
  {
    title: 'names a configuration that is not there',
    args: 'validate --config-file={dir}/nothing.yaml',
    says: /nothing\.yaml cannot be used/,
    code: 1,
  },
  { title: 'names a directory', args: 'validate --config-file={dir}', says: /cannot be used/, code: 1 },
  { title: 'gives an empty configuration', args: validate, ...given(''), says: /cannot be used/, code: 1 },
  {
    title: 'gives a configuration that is no YAML',
    args: validate,
    ...given('probeInterval: [30s\n'),
    says: /line/,
    code: 1,
  },
  {
    title: 'gives two documents',
    args: validate,
    ...given(`${proberConfig}---\n${proberConfig}`),
    says: /cannot be used/,
    code: 1,
  },
  { title: 'gives a whole ConfigMap', args: validate, ...given(configMap), says: /cannot be used/, code: 1 },
  {
    title: 'gives a kubeconfig as the configuration',
    args: validate,
    ...given(kubeconfigOf('{server: "https://127.0.0.1:1"}')),
    says: /cannot be used/,
    code: 1,
  },
  {
    title: "gives the prober a weeder's configuration",
    args: `${prober} ${quiet}`,
    ...given(weederConfig),
    says: /cannot be used/,
    code: 1,
  },
  {
    title: "gives the weeder a prober's configuration",
    args: `${weeder} ${quiet}`,
    files: { ...files, 'weeder.yaml': proberConfig },
    says: /cannot be used/,
    code: 1,
  },
  {
    title: 'writes a number where a duration must be',
    args: validate,
    ...given(proberConfig.replace('30s', '30')),
    says: /probeInterval/,
    code: 1,
  },
  {
    title: 'leaves a value empty',
    args: `${validate} --strict`,
    ...given(proberConfig.replace('30s', '')),
    says: /config\.yaml/,
    code: 0,
  },
  {
    title: 'writes a key in another case',
    args: `${validate} --strict`,
    ...given(proberConfig.replace('probeInterval', 'ProbeInterval')),
    says: /config\.yaml/,
    code: 0,
  },
  {
    title: 'misspells a key',
    args: validate,
    ...given(proberConfig.replace('probeInterval', 'probeInterva')),
    says: /probeInterva/,
    code: 0,
  },
  {
    title: 'misspells a key, and wants no mercy',
    args: `${validate} --strict`,
    ...given(proberConfig.replace('probeInterval', 'probeInterva')),
    says: /probeInterva/,
    code: 1,
  },
  {
    title: 'names a dependant twice',
    args: validate,
    ...given(proberConfig + proberConfig.slice(proberConfig.indexOf('- ref'))),
    says: /kube-controller-manager/,
    code: 1,
  },
  {
    title: 'wants more than all leases to be expired',
    args: validate,
    ...given(`${proberConfig}nodeLeaseFailureFraction: 60\n`),
    says: /nodeLeaseFailureFraction/,
    code: 1,
  },
  {
    title: 'has many faults at once',
    args: validate,
    ...given('kubeConfigSecretName: ""\nprobeInterval: -1s\ndependentResourceInfos: []\n'),
    says: /3 problems/,
    code: 1,
  },
  {
    title: 'gives the weeder a selector that matches nothing readable',
    args: validate,
    ...given(weederConfig.replace('{role: apiserver}', '{role: [a]}')),
    says: /matchLabels/,
    code: 1,
  },
];
