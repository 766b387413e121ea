import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { asObject, type JsonObject } from '@dwd/simulator/store/kube-object.ts';
import {
  crashLoopingContainer,
  podObject,
  runningContainer,
  type ContainerRole,
} from '@dwd/simulator/workloads/pod-status.ts';

type CrowdedPod = Readonly<{
  name: string;
  /** Its label `role`. */
  role: string;
  loops?: ContainerRole;
  /** Its deletion was asked for by somebody else. */
  ending?: boolean;
  /** A dependant of the API server that has to be deleted. */
  due?: boolean;
}>;

/** A control plane in the middle of an outage: what has to be deleted, and what must not be though it crash-loops. */
export const crowd: readonly CrowdedPod[] = [
  { name: 'etcd-main-0', role: 'main', loops: 'main' },
  { name: 'kube-apiserver-a', role: 'apiserver' },
  { name: 'kube-apiserver-b', role: 'apiserver', loops: 'main' },
  { name: 'kube-controller-manager-a', role: 'controller-manager', loops: 'main', due: true },
  { name: 'kube-scheduler-a', role: 'scheduler', loops: 'main', due: true },
  { name: 'machine-controller-manager-a', role: 'machine-controller-manager', loops: 'main', due: true },
  { name: 'csi-driver-controller-a', role: 'csi', loops: 'sidecar', due: true },
  { name: 'gardener-resource-manager-a', role: 'gardener-resource-manager', loops: 'init', due: true },
  { name: 'gardener-resource-manager-b', role: 'gardener-resource-manager' },
  { name: 'cloud-controller-manager-a', role: 'cloud-controller-manager' },
  { name: 'vpn-seed-server-a', role: 'vpn', loops: 'main', ending: true },
];

type Making = Readonly<{
  namespace: string;
  now: Instant;
  /** Of its name. */
  suffix?: string;
  /** Whatever it does in an outage, now it runs. */
  calm?: boolean;
}>;

/** As large as a control plane's pod usually is, 12 KB of JSON, so that lists and watches cost what they do. */
export function crowdedPod(
  { name, role, ...pod }: CrowdedPod,
  { namespace, now, suffix = '', calm = false }: Making,
): JsonObject {
  const loops = calm ? undefined : pod.loops;
  const main = loops === 'main' ? crashLoopingContainer(role, now) : runningContainer(role, now);
  const other = loops === undefined || loops === 'main' ? [] : [crashLoopingContainer('other', now, loops)];
  const labels = { 'gardener.cloud/role': 'controlplane', app: 'kubernetes', role };
  const drawn = podObject({ name: name + suffix, namespace, now, labels, containers: [...other, main] });
  const env = Array.from({ length: 60 }, (_, index) => ({
    name: `SETTING_OF_THE_CONTROL_PLANE_${index}`,
    value: `a value of some length that nobody reads ${index}`,
  }));
  const spec = asObject(drawn['spec']);
  const [first, ...rest] = spec['containers'] as readonly JsonObject[];
  const fields = Object.fromEntries(env.map(({ name }) => [`k:{"name":"${name}"}`, { '.': {}, 'f:value': {} }]));
  const managedFields = [{ manager: 'kube-controller-manager', operation: 'Update', fieldsV1: { 'f:env': fields } }];
  return {
    ...drawn,
    metadata: { ...asObject(drawn['metadata']), managedFields },
    spec: { ...spec, containers: [{ ...first, env }, ...rest] },
  };
}
