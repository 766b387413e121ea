/** What somebody may write, and whether it is right. `differs`: the schema for editors takes what the program refuses, and why. */
export type ConfigCase = Readonly<{ text: string; right: boolean; differs?: string }>;

const kcm = '{apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}';
const steps = 'scaleUp: {level: 0}, scaleDown: {level: 0}';
const name = 'kubeConfigSecretName: probe\n';
const infos = `dependentResourceInfos: [{ref: ${kcm}, ${steps}}]\n`;

const paths = 'internalKubeConfigSecretName: inside\nexternalKubeConfigSecretName: outside\n';

/** A whole configuration with these lines in addition. */
const and = (lines: string) => `${name}${infos}${lines}\n`;
const older = (lines: string) => `${paths}${infos}${lines}\n`;
const resource = (text: string) => `${name}dependentResourceInfos:\n- ${text}\n`;
const ref = (text: string) => resource(`{ref: ${text}, ${steps}}`);
const up = (text: string) => resource(`{ref: ${kcm}, scaleUp: ${text}, scaleDown: {level: 0}}`);

const rightProbers: readonly string[] = [
  and(''),
  and('probeInterval: 1m30s'),
  and('probeInterval: +.5h1.s'),
  and('probeInterval: 100us'),
  and('probeInterval: "100µs"'),
  and('initialDelay: "0"'),
  and('initialDelay: -0s'),
  and('initialDelay: 0h0m0.00s'),
  and('backoffJitterFactor: 0'),
  and('nodeLeaseFailureFraction: 1'),
  and('failureThreshold: 3'),
  and('failureThreshold: 3.0'),
  and('internalProbeFailureBackOffDuration: 30s'),
  and('name: x\nnamespace: '),
  older(''),
  older('internalProbeFailureBackOffDuration: 1m\nfailureThreshold: 5'),
  older('nodeLeaseFailureFraction: 0.6\nname: x\nnamespace: ""'),
  up('{}'),
  up('{level: 2, initialDelay: 0s, timeout: 1s, replicas: 1}'),
  ref('{apiVersion: apps/v1, kind: StatefulSet, name: etcd.main}'),
  ref('{apiVersion: v1, kind: ReplicationController, name: a}'),
  ref('{apiVersion: druid.gardener.cloud/v1alpha1, kind: Etcd, name: a}'),
  resource(`{ref: ${kcm}, optional: yes, ${steps}}`),
  `{"kubeConfigSecretName": "probe",\n\t"dependentResourceInfos": [{"ref": ${kcm}, ${steps}}]}`,
  `${name}dependentResourceInfos:\n- {ref: ${kcm}, ${steps}}\n- {ref: {apiVersion: apps/v1, kind: StatefulSet, name: b}, ${steps}}\n`,
];

const wrongProbers: readonly string[] = [
  '',
  '[]',
  'probe',
  name,
  infos,
  `${name}dependentResourceInfos: []\n`,
  `${name}dependentResourceInfos: {}\n`,
  `kubeConfigSecretName:\n${infos}`,
  `kubeConfigSecretName: ""\n${infos}`,
  `kubeConfigSecretName: 12\n${infos}`,
  `kubeConfigSecretName: Not A Name\n${infos}`,
  `kubeConfigSecretName: ${'a'.repeat(254)}\n${infos}`,
  `kubeconfigSecretName: probe\n${infos}`,
  and('kubeConfigSecretName: other'),
  and('probeInterval:'),
  and('ProbeInterval: 30s'),
  and('probeIntervall: 30s'),
  and('probeInterval: 30'),
  and('probeInterval: "30"'),
  and('probeInterval: 30 s'),
  and('probeInterval: 1d'),
  and('probeInterval: 0s'),
  and('probeInterval: "0"'),
  and('probeInterval: -30s'),
  and('initialDelay: -1ms'),
  and('initialDelay: 0'),
  and('backoffJitterFactor: 1.1'),
  and('backoffJitterFactor: "0.2"'),
  and('backoffJitterFactor: .nan'),
  and('nodeLeaseFailureFraction: 0'),
  and('nodeLeaseFailureFraction: 60'),
  and('nodeLeaseFailureFraction:'),
  and('failureThreshold: 0'),
  and('failureThreshold: 1.5'),
  and('failureThreshold: 1e20'),
  and('internalKubeConfigSecretName: inside'),
  and('externalKubeConfigSecretName: outside'),
  and('internalKubeConfigSecretName:'),
  `internalKubeConfigSecretName: inside\n${infos}`,
  `externalKubeConfigSecretName: outside\n${infos}`,
  paths,
  older('kubeConfigSecretName: probe'),
  older('kubeConfigSecretName:'),
  `internalKubeConfigSecretName: inside\nexternalKubeConfigSecretName:\n${infos}`,
  `internalKubeConfigSecretName: In Side\nexternalKubeConfigSecretName: outside\n${infos}`,
  `internalKubeConfigSecretName: inside\nexternalKubeConfigSecretName: 12\n${infos}`,
  `internalKubeconfigSecretName: inside\nexternalKubeConfigSecretName: outside\n${infos}`,
  older('internalProbeFailureBackOffDuration: 0s'),
  older('backOffJitterFactor: 0.2'),
  older('failureThreshold: 0'),
  older('failureThreshold:'),
  and('internalProbeFailureBackOffDuration: 0s'),
  and('watchDuration: 5m'),
  resource('null'),
  resource(`{ref: ${kcm}, scaleUp: {level: 0}}`),
  resource(`{ref: ${kcm}, scaleUp: , scaleDown: {}}`),
  resource(`{ref: ${kcm}, optional: "true", ${steps}}`),
  resource(`{ref: ${kcm}, optional: , ${steps}}`),
  resource(`{ref: ${kcm}, Optional: true, ${steps}}`),
  resource(`{ref: ${kcm}, optional: true, replicas: 1, ${steps}}`),
  ref('{apiVersion: apps/v1, kind: deployment, name: a}'),
  ref('{apiVersion: apps/v1, kind: DaemonSet, name: a}'),
  ref('{apiVersion: v1, kind: Pod, name: a}'),
  ref('{apiVersion: "", kind: Deployment, name: a}'),
  ref('{apiVersion: apps/v1/x, kind: Deployment, name: a}'),
  ref('{apiVersion: apps/v1, kind: Deployment, name: ../x}'),
  ref('{apiVersion: apps/v1, kind: Deployment}'),
  ref('{apiVersion: apps/v1, kind: Deployment, name: a, namespace: b}'),
  up('{level: -1}'),
  up('{level: }'),
  up('{level: "0"}'),
  up('{levle: 0}'),
  up('{initialDelay: -1s}'),
  up('{timeout: 0s}'),
  `${name}dependentResourceInfos:\n- {ref: ${kcm}, ${steps}}\n- {ref: ${kcm}, ${steps}}\n`,
];

/** JSON Schema cannot say it. The specification names these differences (2.1). */
const differingProbers: readonly (readonly [differs: string, text: string])[] = [
  [
    'one resource twice with different settings',
    `${name}dependentResourceInfos:\n- {ref: ${kcm}, ${steps}}\n- {ref: ${kcm}, optional: true, ${steps}}\n`,
  ],
  ['a duration longer than 292 years', and('probeInterval: 2562048h')],
  ['a duration shorter than a nanosecond', and('probeInterval: 0.1ns')],
];

const services = (text: string) => `servicesAndDependantSelectors:\n  etcd:\n    podSelectors:\n    - ${text}\n`;
const expression = (text: string) => services(`{matchExpressions: [${text}]}`);

const rightWeeders: readonly string[] = [
  services('{}'),
  `watchDuration: 5m\n${services('{matchLabels: {example.org/role: a, app: ""}}')}`,
  expression('{key: app, operator: NotIn, values: [etcd]}'),
  expression('{key: app, operator: Exists}'),
  expression('{key: app, operator: DoesNotExist, values: []}'),
  services('{matchLabels: {}}\n    - {matchLabels: {}}'),
  services(`{matchLabels: {${'a'.repeat(253)}/role: a}}`),
  expression(`{key: ${'a'.repeat(253)}/role, operator: Exists}`),
  'servicesAndDependantSelectors: {0-etcd: {podSelectors: [{}]}}\n',
];

const wrongWeeders: readonly string[] = [
  '',
  'watchDuration: 5m\n',
  'servicesAndDependantSelectors:\n',
  'servicesAndDependantSelectors: {}\n',
  'servicesAndDependantSelectors: {Etcd: {podSelectors: [{}]}}\n',
  `servicesAndDependantSelectors: {${'a'.repeat(64)}: {podSelectors: [{}]}}\n`,
  'servicesAndDependantSelectors: {etcd: {}}\n',
  'servicesAndDependantSelectors: {etcd: }\n',
  'servicesAndDependantSelectors: {etcd: {podSelectors: []}}\n',
  'servicesAndDependantSelectors: {etcd: {PodSelectors: [{}]}}\n',
  `watchDuration:\n${services('{}')}`,
  `watchDuration: 0s\n${services('{}')}`,
  `watchduration: 1s\n${services('{}')}`,
  `probeInterval: 1s\n${services('{}')}`,
  services(''),
  services('{matchLabels: }'),
  services('{matchLabel: {app: etcd}}'),
  services('{matchLabels: {no label: a}}'),
  services(`{matchLabels: {${'a'.repeat(254)}/role: a}}`),
  services('{matchLabels: {a/b/c: a}}'),
  expression(`{key: ${'a'.repeat(254)}/role, operator: Exists}`),
  services('{matchLabels: {app: true}}'),
  services('{matchLabels: {app: etcd main}}'),
  services('{matchLabels: {app: [a]}}'),
  expression('{key: app, operator: in, values: [etcd]}'),
  expression('{key: app, operator: In, values: []}'),
  expression('{key: app, operator: NotIn}'),
  expression('{key: app, operator: Exists, values: [etcd]}'),
  expression('{key: app, operator: Exists, values: }'),
  expression('{operator: Exists}'),
  expression('{key: app, Operator: Exists}'),
];

export const configCases: Readonly<Record<'prober' | 'weeder', readonly ConfigCase[]>> = {
  prober: [
    ...rightProbers.map((text) => ({ text, right: true })),
    ...wrongProbers.map((text) => ({ text, right: false })),
    ...differingProbers.map(([differs, text]) => ({ text, right: false, differs })),
  ],
  weeder: [
    ...rightWeeders.map((text) => ({ text, right: true })),
    ...wrongWeeders.map((text) => ({ text, right: false })),
  ],
};
