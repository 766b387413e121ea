import { expect, test } from 'vitest';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { chart, settingsOf, templated } from './render.ts';
import { renderings } from './renderings.ts';

/** A value that somebody may write, and the path at which the chart refuses it. */
const wrong: readonly (readonly [setting: string, path: string])[] = [
  // Keys that are not there: misspelt, of another chart, of another level.
  ['replica=2', "at '': additional properties 'replica' not allowed"],
  ['resources={"requests":{}}', "at '': additional properties 'resources' not allowed"],
  ['prober.replicas=2', "at '/prober': additional properties 'replicas' not allowed"],
  ['weeder.kubeApiQps=20', "at '/weeder': additional properties 'kubeApiQps' not allowed"],
  ['journal.size="1Gi"', "at '/journal': additional properties 'size' not allowed"],
  // What cannot be.
  ['image.repository=""', "at '/image/repository'"],
  ['image.repository="example.org/dwd@sha256:1"', "at '/image/repository'"],
  ['image.tag=1', "at '/image/tag'"],
  ['image.digest="latest"', "at '/image/digest'"],
  ['image.pullPolicy="Sometimes"', "at '/image/pullPolicy'"],
  ['replicas="2"', "at '/replicas'"],
  ['replicas=-1', "at '/replicas'"],
  ['prober.enabled="yes"', "at '/prober/enabled'"],
  ['prober.logLevel="TRACE"', "at '/prober/logLevel'"],
  ['prober.kubeApiQps="fast"', "at '/prober/kubeApiQps'"],
  ['prober.extraArgs=["journal-dir=/x"]', "at '/prober/extraArgs/0'"],
  ['prober.minMemory="50"', "at '/prober/minMemory'"],
  ['prober.resources.requests.memory="256MB"', "at '/prober/resources/requests/memory'"],
  [
    'prober.furtherDependants=[{"apiGroups":["apps"],"resources":["statefulsets"]}]',
    "at '/prober/furtherDependants/0'",
  ],
  [
    'prober.furtherDependants=[{"apiGroups":["apps"],"resources":["*"],"verbs":["get"]}]',
    "at '/prober/furtherDependants/0/resources/0'",
  ],
  [
    'prober.furtherDependants=[{"apiGroups":["apps"],"resources":["statefulsets"],"verbs":["delete"]}]',
    "at '/prober/furtherDependants/0/verbs/0'",
  ],
  ['journal.sizeLimit="much"', "at '/journal/sizeLimit'"],
  ['priorityClass.create=true', "at '/priorityClass/name'"],
  ['imagePullSecrets=["mine"]', "at '/imagePullSecrets/0': got string, want object"],
  ['tolerations=[{"key":"x","efect":"NoExecute"}]', "at '/tolerations/0': additional properties 'efect' not allowed"],
  ['tolerations=[{"effect":"NoRun"}]', "at '/tolerations/0/effect'"],
  ['tolerations={"key":"x"}', "at '/tolerations': got object, want array"],
  ['nodeSelector={"pool":1}', "at '/nodeSelector/pool': got number, want string"],
  ['affinity={"nodeAfinity":{}}', "at '/affinity': additional properties 'nodeAfinity' not allowed"],
  [
    'affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{}}]}}',
    "at '/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0': missing property 'topologyKey'",
  ],
  ['podAnnotations={"seen":true}', "at '/podAnnotations/seen': got boolean, want string"],
  ['podLabels={"app":"mine"}', "at '/podLabels/app'"],
  ['extraEnv={"TZ":"UTC"}', "at '/extraEnv': got object, want array"],
  ['extraEnv=[{"name":"TZ","value":1}]', "at '/extraEnv/0/value': got number, want string"],
  ['extraVolumes=[{"name":"a","emptydir":{}}]', "at '/extraVolumes/0': additional properties 'emptydir' not allowed"],
  ['extraVolumeMounts=[{"name":"a"}]', "at '/extraVolumeMounts/0': missing property 'mountPath'"],
  ['podSecurityContext.runAsuser=1', "at '/podSecurityContext': additional properties 'runAsuser' not allowed"],
  ['securityContext.privileged="no"', "at '/securityContext/privileged': got string, want boolean"],
  ['serviceAccount.create=false', "at '': additional properties 'serviceAccount' not allowed"],
  ['prober.serviceAccount.create=false', "at '/prober/serviceAccount/name'"],
  ['verticalPodAutoscaler.updateMode="Always"', "at '/verticalPodAutoscaler/updateMode'"],
  ['podMonitor.interval="15"', "at '/podMonitor/interval'"],
  ['prometheusRule=true', "at '/prometheusRule': got boolean, want object"],
  ['dashboards.enabled=true', "at '/dashboards': additional properties 'enabled' not allowed"],
  ['podMonitor.labels=["seed"]', "at '/podMonitor/labels'"],
  ['events="true"', "at '/events'"],
  // The configurations, as `validate --strict` refuses them.
  ['prober.config.probeInterval="0s"', "at '/prober/config/probeInterval'"],
  ['prober.config.probeInterval=30', "at '/prober/config/probeInterval'"],
  ['prober.config.ProbeInterval="30s"', "at '/prober/config': additional properties 'ProbeInterval' not allowed"],
  ['prober.config.nodeLeaseFailureFraction=60', "at '/prober/config/nodeLeaseFailureFraction'"],
  ['prober.config.kubeConfigSecretName=null', "at '/prober/config': missing property 'kubeConfigSecretName'"],
  [
    'prober.config.internalKubeConfigSecretName="inside"',
    "at '/prober/config': missing property 'externalKubeConfigSecretName'",
  ],
  ['prober.config.externalKubeConfigSecretName="outside"', "at '/prober/config/kubeConfigSecretName': false schema"],
  ['prober.config.dependentResourceInfos=[]', "at '/prober/config/dependentResourceInfos'"],
  ['prober.config.watchDuration="5m"', "at '/prober/config': additional properties 'watchDuration' not allowed"],
  ['weeder.config.watchDuration="soon"', "at '/weeder/config/watchDuration'"],
  [
    'weeder.config.servicesAndDependantSelectors.etcd-main-client={"podSelectors":[]}',
    "at '/weeder/config/servicesAndDependantSelectors/etcd-main-client/podSelectors'",
  ],
  [
    'weeder.config.servicesAndDependantSelectors.etcd={"podSelectors":[{"matchExpressions":[{"key":"app","operator":"in"}]}]}',
    "at '/weeder/config/servicesAndDependantSelectors/etcd/podSelectors/0/matchExpressions/0/operator'",
  ],
];

test.for(wrong)('1.7 the chart refuses %s', async ([setting, path]) => {
  await expect(templated([setting])).rejects.toThrow(path);
});

test('1.7 the chart is refused without an image', async () => {
  const helm = await findProgram('helm');
  await expect(runProgram(helm, ['template', 'dwd', chart])).rejects.toThrow("at '/image/repository'");
});

test.for(renderings)('1.7 helm lint finds nothing, strictly: $overlay', async ({ settings }) => {
  const helm = await findProgram('helm');
  const said = await runProgram(helm, ['lint', '--strict', chart, ...settingsOf(settings)]);
  expect(said).toContain('1 chart(s) linted, 0 chart(s) failed');
});

test('1.7 a chart of which nothing is enabled installs nothing', async () => {
  expect(await templated(['prober.enabled=false', 'weeder.enabled=false', 'events=true'])).toEqual([]);
});
