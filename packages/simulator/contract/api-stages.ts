import { filter, firstValueFrom, type Observable } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { atMostAtOnce } from '@dwd/inspector/serve/live-history.ts';
import { kubeClusterApi } from 'dependency-watchdog/adapters/seed/cluster-api.ts';
import { kubeMachineApi } from 'dependency-watchdog/adapters/seed/machine-api.ts';
import { kubeScaler } from 'dependency-watchdog/adapters/seed/scaler.ts';
import { seedWatch } from 'dependency-watchdog/adapters/seed-watch/seed-watch.ts';
import { podRemover } from 'dependency-watchdog/adapters/weeder-seed/pod-remover.ts';
import { podWatch } from 'dependency-watchdog/adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from 'dependency-watchdog/adapters/weeder-seed/service-watch.ts';
import type { DependantRef } from 'dependency-watchdog/domain/prober/dependant.ts';
import {
  markAnnotation,
  replicasAnnotation,
  ignoreAnnotation,
} from 'dependency-watchdog/domain/prober/resource-view.ts';
import { mergePatch, type OperatorClient } from '@dwd/lab/real/operator-client.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import type { ClusterApiStage } from './cluster-api.contract.ts';
import type { ContractStage } from './contract-stage.ts';
import { gadget } from './gadgets.ts';
import type { MachineApiStage } from './machine-api.contract.ts';
import type { SeedScalerStage } from './scaler.contract.ts';
import { endpointSliceWriter, endpointsWriter } from './slice-writers.ts';
import type { SeedEventsStage } from './seed-events.contract.ts';
import { contractSelectors, type WeederSeedStage } from './weeder-seed.contract.ts';

// The stages of the ports' contracts on an API server: our adapters, and an operator who sets the scene.

const clusters = { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters' };
const machines = { group: 'machine.sapcloud.io', version: 'v1alpha1', plural: 'machines' };
const gadgets = { group: gadget.group, version: gadget.version, plural: gadget.plural };

const isDeployment = ({ kind }: DependantRef) => kind === 'Deployment';

export async function apiScalerStage(stage: ContractStage): Promise<SeedScalerStage> {
  const { custom, apps } = stage.operator;
  const namespace = await stage.namespace();
  const patch = (ref: DependantRef, body: object) =>
    isDeployment(ref)
      ? apps.patchNamespacedDeployment({ namespace, name: ref.name, body }, mergePatch)
      : custom.patchNamespacedCustomObject({ ...gadgets, namespace, name: ref.name, body }, mergePatch);
  return {
    scaler: kubeScaler({ client: stage.admin, clock: systemClock }),
    shoot: namespace,
    create: async (writes, name, { replicas, marked = false, record, ignored = false }) => {
      const annotations = {
        ...(marked ? { [markAnnotation]: '' } : {}),
        ...(record === undefined ? {} : { [replicasAnnotation]: record }),
        ...(ignored ? { [ignoreAnnotation]: 'true' } : {}),
        'of/others': 'stays',
      };
      if (writes === 'twice') {
        const { group, version, kind } = gadget;
        const body = {
          apiVersion: `${group}/${version}`,
          kind,
          metadata: { name, annotations },
          spec: { size: replicas },
        };
        await custom.createNamespacedCustomObject({ ...gadgets, namespace, body });
        return { apiVersion: body.apiVersion, kind, name };
      }
      await createDeployment(stage.operator, namespace, name, replicas, annotations);
      return { apiVersion: 'apps/v1', kind: 'Deployment', name };
    },
    setStatus: ({ name }, status) =>
      custom.patchNamespacedCustomObjectStatus({ ...gadgets, namespace, name, body: { status } }, mergePatch),
    unscalable: { apiVersion: `${machines.group}/${machines.version}`, kind: 'Machine' },
    touch: (ref) => patch(ref, { metadata: { labels: { touched: 'yes' } } }),
    setReplicas: (ref, count) => patch(ref, { spec: isDeployment(ref) ? { replicas: count } : { size: count } }),
    remove: (ref) =>
      isDeployment(ref)
        ? apps.deleteNamespacedDeployment({ namespace, name: ref.name })
        : custom.deleteNamespacedCustomObject({ ...gadgets, namespace, name: ref.name }),
    stored: async (ref) => {
      const { name } = ref;
      const { metadata, spec } = (
        isDeployment(ref)
          ? await apps.readNamespacedDeployment({ namespace, name })
          : await custom.getNamespacedCustomObject({ ...gadgets, namespace, name })
      ) as { metadata: { annotations?: Record<string, string> }; spec: { replicas?: number; size?: number } };
      const { 'of/others': others, ...annotations } = metadata.annotations ?? {};
      if (others !== 'stays') throw new Error(`an annotation of others was taken off ${name}`);
      return { replicas: spec.replicas ?? spec.size, annotations };
    },
  };
}

export async function apiMachineStage(stage: ContractStage): Promise<MachineApiStage> {
  const namespace = await stage.namespace();
  const of = { ...machines, namespace };
  return {
    machines: kubeMachineApi(stage.admin, systemClock),
    shoot: namespace,
    now: () => systemClock.now(),
    addMachines: async (them) => {
      const add = async ({ name, node, phase }: (typeof them)[number]): Promise<void> => {
        const metadata = { name, labels: node === undefined ? {} : { node } };
        const body = { apiVersion: `${of.group}/${of.version}`, kind: 'Machine', metadata };
        await stage.operator.custom.createNamespacedCustomObject({ ...of, body });
        const status = { currentStatus: { phase } };
        if (phase !== '')
          await stage.operator.custom.patchNamespacedCustomObjectStatus({ ...of, name, body: { status } }, mergePatch);
      };
      // All at once, the last of them would wait longer for its connection than the client has patience, where the machine is busy.
      const among = atMostAtOnce(20);
      await Promise.all(them.map((one) => among(() => add(one))));
    },
  };
}

export async function apiClusterStage(stage: ContractStage): Promise<ClusterApiStage> {
  const shoot = await stage.namespace();
  return {
    clusters: kubeClusterApi(stage.admin, systemClock),
    shoot,
    now: () => systemClock.now(),
    setCluster: clusterSetter(stage.operator, shoot),
  };
}

export async function apiSeedEventsStage(stage: ContractStage): Promise<SeedEventsStage> {
  const { operator } = stage;
  const shoot = await stage.namespace();
  const config = { ...gardenerConfig, dependants: [controllerManager] };
  const watch = seedWatch({ client: stage.client('admin'), clock: systemClock, chance: seededChance(5), config });
  const { name } = controllerManager.ref;
  const of = { namespace: shoot, name };
  let there = false;
  return {
    watch,
    shoot,
    synced: () => whenTrue(watch.synced$),
    setCluster: clusterSetter(operator, shoot),
    setReplicas: async (replicas) => {
      if (replicas === undefined) await operator.apps.deleteNamespacedDeployment(of);
      else if (there)
        await operator.apps.patchNamespacedDeployment({ ...of, body: { spec: { replicas } } }, mergePatch);
      else await createDeployment(operator, shoot, name, replicas);
      there = replicas !== undefined;
    },
  };
}

/** Services are told by EndpointSlices, or, under an older Gardener's grants, by Endpoints (7.6). */
export async function apiWeederStage(stage: ContractStage, by: 'slices' | 'endpoints'): Promise<WeederSeedStage> {
  const { core } = stage.operator;
  const namespace = await stage.namespace();
  const client = by === 'slices' ? stage.admin : stage.client('older');
  const ports = { client, clock: systemClock, chance: seededChance(2) };
  const config = {
    services: ['contract-etcd', 'contract-apiserver'].map((name) => ({ name, podSelectors: contractSelectors })),
  };
  const services = serviceWatch({ ...ports, config });
  return {
    services,
    pods: podWatch({ ...ports, config }),
    remover: podRemover(client),
    namespace,
    synced: () => whenTrue(services.synced$),
    ...(by === 'slices' ? endpointSliceWriter(stage.operator, namespace) : endpointsWriter(stage.operator, namespace)),
    createPod: async (name, labels, node) => {
      const spec = {
        ...(node === undefined ? {} : { nodeName: node }),
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'none' }],
        initContainers: [{ name: 'sidecar', image: 'none', restartPolicy: 'Always' }],
      };
      const { metadata } = await core.createNamespacedPod({ namespace, body: { metadata: { name, labels }, spec } });
      return { name, uid: metadata?.uid ?? '' };
    },
    report: (name, container, reason) => {
      const state = reason === undefined ? { running: { startedAt: '2026-01-01T00:00:00Z' } } : { waiting: { reason } };
      const status = { name: container, image: 'none', imageID: '', ready: false, restartCount: 3, state };
      const list = container === 'main' ? 'containerStatuses' : 'initContainerStatuses';
      return core.patchNamespacedPodStatus({ namespace, name, body: { status: { [list]: [status] } } }, mergePatch);
    },
    label: (name, labels) => core.patchNamespacedPod({ namespace, name, body: { metadata: { labels } } }, mergePatch),
    endPod: (name) => core.deleteNamespacedPod({ namespace, name, body: { gracePeriodSeconds: 0 } }),
    uids: async () => {
      const { items } = await core.listNamespacedPod({ namespace });
      return items.map(({ metadata }) => metadata?.uid ?? '');
    },
  };
}

async function createDeployment(
  { apps }: OperatorClient,
  namespace: string,
  name: string,
  replicas: number,
  annotations: Record<string, string> = {},
): Promise<void> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'none' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  await apps.createNamespacedDeployment({ namespace, body: { metadata: { name, annotations }, spec } });
}

/** Creates the Cluster, changes it, or deletes it. */
function clusterSetter({ custom }: OperatorClient, name: string): ClusterApiStage['setCluster'] {
  let there = false;
  return async (state) => {
    const body = {
      apiVersion: `${clusters.group}/${clusters.version}`,
      kind: 'Cluster',
      metadata: { name },
      spec: { cloudProfile: {}, seed: {}, shoot: { spec: { hibernation: { enabled: state === 'hibernated' } } } },
    };
    if (state === undefined) await custom.deleteClusterCustomObject({ ...clusters, name });
    else if (there) await custom.patchClusterCustomObject({ ...clusters, name, body }, mergePatch);
    else await custom.createClusterCustomObject({ ...clusters, body });
    there = state !== undefined;
  };
}

function whenTrue(is$: Observable<boolean>): Promise<boolean> {
  return firstValueFrom(is$.pipe(filter((is) => is)));
}
