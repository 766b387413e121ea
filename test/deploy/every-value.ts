import type { Setting } from './render.ts';

/** A value, and the objects that show it: their kind, where in them, what is there, and how many there are of these: two, one for each role, unless told. */
export type TriedValue = readonly [setting: Setting, kind: string, path: string, expected: unknown, count?: number];

/** All that can be switched on is on. */
export const usualValues: readonly Setting[] = [
  'verticalPodAutoscaler.enabled=true',
  'podMonitor.enabled=true',
  'seedPrometheus=true',
  'prometheusRule.enabled=true',
  'dashboards={"grafana":{"enabled":true},"plutono":{"enabled":true}}',
];

const pod = 'spec.template.spec';
const container = `${pod}.containers.0`;
const toleration = { key: 'seed', operator: 'Equal', value: 'control', effect: 'NoSchedule' };
const affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'In', values: ['amd64'] }] }],
    },
  },
};
const variables = [
  { name: 'TZ', value: 'UTC' },
  { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
];
const volume = { name: 'ca', configMap: { name: 'ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } };
const mount = { name: 'ca', mountPath: '/etc/ca', readOnly: true };
const json = JSON.stringify;

/** The values that no overlay stands for. */
export const everyValue: readonly TriedValue[] = [
  ['image.tag="7"', 'Deployment', `${container}.image`, 'dependency-watchdog:7'],
  [
    `image.digest="sha256:${'0'.repeat(64)}"`,
    'Deployment',
    `${container}.image`,
    `dependency-watchdog@sha256:${'0'.repeat(64)}`,
  ],
  ['image.pullPolicy="Always"', 'Deployment', `${container}.imagePullPolicy`, 'Always'],
  ['imagePullSecrets=[{"name":"mine"}]', 'Deployment', `${pod}.imagePullSecrets`, [{ name: 'mine' }]],
  // So `--set prober.kubeApiQps=0.5` comes to the chart.
  ['prober.kubeApiQps="0.5"', 'Deployment', `${container}.command`, '--kube-api-qps=0.5', 1],
  ['prober.kubeApiQps=7.5', 'Deployment', `${container}.command`, '--kube-api-qps=7.5', 1],
  ['prober.kubeApiBurst=70', 'Deployment', `${container}.command`, '--kube-api-burst=70', 1],
  ['prober.logLevel="DEBUG"', 'Deployment', `${container}.command`, '--zap-log-level=DEBUG', 1],
  ['prober.extraArgs=["--log-style=text"]', 'Deployment', `${container}.command`, '--log-style=text', 1],
  ['weeder.extraArgs=["--log-style=text"]', 'Deployment', `${container}.command`, '--log-style=text', 1],
  ['prober.resources.requests.cpu="1"', 'Deployment', `${container}.resources.requests.cpu`, '1', 1],
  ['weeder.resources.limits={"memory":"1Gi"}', 'Deployment', `${container}.resources.limits.memory`, '1Gi', 1],
  [
    'prober.minMemory="1Gi"',
    'VerticalPodAutoscaler',
    'spec.resourcePolicy.containerPolicies.0.minAllowed.memory',
    '1Gi',
    1,
  ],
  [
    'weeder.minMemory="1Gi"',
    'VerticalPodAutoscaler',
    'spec.resourcePolicy.containerPolicies.0.minAllowed.memory',
    '1Gi',
    1,
  ],
  ['prober.serviceAccount={"name":"mine"}', 'ServiceAccount', 'metadata.name', 'mine', 1],
  ['weeder.serviceAccount={"name":"mine"}', 'Deployment', `${pod}.serviceAccountName`, 'mine', 1],
  [
    'prober.serviceAccount.annotations={"cloud":"role"}',
    'ServiceAccount',
    'metadata.annotations',
    { cloud: 'role' },
    1,
  ],
  [
    'weeder.serviceAccount.annotations={"cloud":"role"}',
    'ServiceAccount',
    'metadata.annotations',
    { cloud: 'role' },
    1,
  ],
  ['podLabels={"team":"night"}', 'Deployment', 'spec.template.metadata.labels.team', 'night'],
  ['podAnnotations={"team":"night"}', 'Deployment', 'spec.template.metadata.annotations', { team: 'night' }],
  ['nodeSelector={"pool":"control"}', 'Deployment', `${pod}.nodeSelector`, { pool: 'control' }],
  [`tolerations=[${json(toleration)}]`, 'Deployment', `${pod}.tolerations`, [toleration]],
  [`affinity=${json(affinity)}`, 'Deployment', `${pod}.affinity`, affinity],
  [`extraEnv=${json(variables)}`, 'Deployment', `${container}.env`, variables],
  [`extraVolumes=[${json(volume)}]`, 'Deployment', `${pod}.volumes`, volume],
  [`extraVolumeMounts=[${json(mount)}]`, 'Deployment', `${container}.volumeMounts`, mount],
  ['podSecurityContext.runAsUser=1000', 'Deployment', `${pod}.securityContext.runAsUser`, 1000],
  ['securityContext.privileged=false', 'Deployment', `${container}.securityContext.privileged`, false],
  [
    'journal={"enabled":true,"sizeLimit":"2Gi"}',
    'Deployment',
    `${pod}.volumes`,
    { name: 'journal', emptyDir: { sizeLimit: '2Gi' } },
  ],
  ['verticalPodAutoscaler.updateMode="Recreate"', 'VerticalPodAutoscaler', 'spec.updatePolicy.updateMode', 'Recreate'],
  ['podMonitor.interval="15s"', 'PodMonitor', 'spec.podMetricsEndpoints.0.interval', '15s', 1],
  ['prometheusRule.labels={"team":"night"}', 'PrometheusRule', 'metadata.labels.team', 'night', 1],
  [
    'prometheusRule.runbooks="https://x/r"',
    'PrometheusRule',
    'spec.groups.0.rules.0.annotations.runbook_url',
    'https://x/r#watchdognoproberleads',
    1,
  ],
  ['dashboards.grafana.labels={"grafana":"mine"}', 'ConfigMap', 'metadata.labels.grafana', 'mine', 4],
  ['dashboards.plutono.labels={"plutono":"mine"}', 'ConfigMap', 'metadata.labels.plutono', 'mine', 3],
];
