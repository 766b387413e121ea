import type { ControlPlanePod } from '../../../simulator/workloads/control-plane.ts';
import { stages, type Stage, type StageView } from './observation.ts';

export const etcdGroup = 'etcd-main';

/** The services that stages of the embedded control plane stand behind. */
export const stageOfService: ReadonlyMap<string, Stage> = new Map([
  ['etcd-main-client', 'etcd'],
  ['kube-apiserver', 'apiServers'],
]);

/** The stage of a group of pods of the embedded control plane. */
export function stageOf(group: string): Stage {
  if (group === etcdGroup) return 'etcd';
  return group === 'kube-apiserver' ? 'apiServers' : 'controllers';
}

/** The stages of one control plane, out of its pods. */
export function stageViews(pods: readonly ControlPlanePod[]): Readonly<Record<Stage, StageView>> {
  const [etcd, apiServers, controllers] = stages.map((stage) =>
    viewOf(pods.filter(({ group, ending }) => !ending && stageOf(group) === stage)),
  );
  return { etcd: etcd ?? nothing, apiServers: apiServers ?? nothing, controllers: controllers ?? nothing };
}

const nothing: StageView = { pods: 0, ready: 0, crashLooping: 0, backOffUntil: null };

function viewOf(pods: readonly ControlPlanePod[]): StageView {
  const waits = pods.flatMap(({ backOffUntil }) => backOffUntil ?? []);
  return {
    pods: pods.length,
    ready: pods.filter(({ ready }) => ready).length,
    crashLooping: pods.filter(({ crashLooping }) => crashLooping).length,
    backOffUntil: waits.length === 0 ? null : Math.max(...waits),
  };
}
