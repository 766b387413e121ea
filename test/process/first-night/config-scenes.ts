import { files, kubeconfigOf, prober, proberConfig, quiet, weeder, weederConfig } from './files.ts';
import { parse } from 'yaml';
import type { NightScene } from './scene.ts';

const given = (text: string) => ({ files: { ...files, 'config.yaml': text } });
const validate = 'validate --config-file={dir}/config.yaml';

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: dependency-watchdog-prober-config}
data:
  dep-config.yaml: |
${proberConfig.replaceAll(/^/gm, '    ')}`;

export const configScenes: readonly NightScene[] = [
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
    says: /nothing\.yaml cannot be used: 1 problem\n\n  the file\n    found:     no such file/,
    code: 1,
  },
  { title: 'names a directory', args: 'validate --config-file={dir}', says: /found:     a directory/, code: 1 },
  { title: 'gives an empty configuration', args: validate, ...given(''), says: /found:     an empty file/, code: 1 },
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
    says: /more than one YAML document/,
    code: 1,
  },
  {
    title: 'gives a whole ConfigMap',
    args: validate,
    ...given(configMap),
    says: /found:     a whole ConfigMap\n    expected:  the value below data \(dep-config\.yaml\), in a file of its own/,
    code: 1,
  },
  {
    title: 'gives a kubeconfig as the configuration',
    args: validate,
    ...given(kubeconfigOf('{server: "https://127.0.0.1:1"}')),
    says: /found:     a kubeconfig\n.*the kubeconfig\n? +belongs to --kubeconfig/s,
    code: 1,
  },
  {
    title: "gives the prober a weeder's configuration",
    args: `${prober} ${quiet}`,
    ...given(weederConfig),
    says: /found:     a configuration of the weeder/,
    code: 1,
  },
  {
    title: "gives the weeder a prober's configuration",
    args: `${weeder} ${quiet}`,
    files: { ...files, 'weeder.yaml': proberConfig },
    says: /found:     a configuration of the prober/,
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
    says: /found:     no value\n    expected:  a value, or no such key/,
    code: 1,
  },
  {
    title: 'writes a key in another case',
    args: `${validate} --strict`,
    ...given(proberConfig.replace('probeInterval', 'ProbeInterval')),
    says: /found:     the key ProbeInterval\n    expected:  the key probeInterval, spelt like this/,
    code: 1,
  },
  {
    title: 'misspells a key',
    args: validate,
    ...given(proberConfig.replace('probeInterval', 'probeInterva')),
    says: /is unknown and has no effect; did you mean probeInterval\?/,
    code: 0,
  },
  {
    title: 'misspells a key, and wants no mercy',
    args: `${validate} --strict`,
    ...given(proberConfig.replace('probeInterval', 'probeInterva')),
    says: /found:     an unknown key\n    expected:  probeInterval/,
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
  {
    title: 'leaves a value empty, and wants mercy',
    args: validate,
    ...given(proberConfig.replace('30s', '')),
    says: /probeInterval \(line 2\) has no value, and counts as 10s/,
    code: 0,
  },
  {
    title: 'writes a key that resembles none',
    args: validate,
    ...given(`${proberConfig}verbosity: 4\n`),
    says: /verbosity \(line \d\) is unknown and has no effect$/m,
    code: 0,
  },
  {
    title: 'gives the configuration as JSON',
    args: validate,
    ...given(JSON.stringify(parse(proberConfig), null, '\t')),
    says: /can be used by the prober/,
    code: 0,
  },
  {
    title: 'gives a List of objects',
    args: validate,
    ...given('apiVersion: v1\nkind: List\nitems: []\n'),
    says: /found:     a Kubernetes object of kind List/,
    code: 1,
  },
  {
    title: 'gives a template of Helm',
    args: validate,
    ...given(proberConfig.replace('shoot-access-dependency-watchdog-probe', '{{ .Values.secret }}')),
    says: /the file \(line 1\)\n    found:     a template, with \{\{ … \}\}/,
    code: 1,
  },
  {
    title: 'gives the data of a ConfigMap',
    args: validate,
    ...given(configMap.slice(configMap.indexOf('data:'))),
    says: /the value below data \(dep-config\.yaml\)/,
    code: 1,
  },
  {
    title: 'names a kind that cannot be scaled',
    args: validate,
    ...given(proberConfig.replace('Deployment', 'DaemonSet')),
    says: /expected:  one of Deployment, StatefulSet, ReplicaSet: no other kind of apps\/v1 has a scale/,
    code: 1,
  },
  {
    title: 'gives a list',
    args: validate,
    ...given('- probeInterval: 30s\n'),
    says: /found:     a list of 1\n    expected:  a mapping with at least kubeConfigSecretName/,
    code: 1,
  },
  {
    title: 'wants a configuration to begin with',
    args: 'validate --example prober',
    says: /^kubeConfigSecretName: /m,
    code: 0,
  },
  {
    title: "wants a weeder's configuration to begin with",
    args: 'validate --example=weeder',
    says: /^servicesAndDependantSelectors:$/m,
    code: 0,
  },
  {
    title: 'pipes a configuration in',
    args: 'validate --config-file=- --strict',
    input: weederConfig,
    says: /^the standard input can be used by the weeder/,
    code: 0,
  },
  {
    title: 'asks validate for nothing',
    args: 'validate',
    says: /--config-file=FILE is missing; --example=prober or --example=weeder prints one/,
    code: 2,
  },
];
