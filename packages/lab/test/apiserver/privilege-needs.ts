import type { KubeClient } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import { eventObject } from 'dependency-watchdog/adapters/record/events/event-object.ts';
import { seedWatch } from 'dependency-watchdog/adapters/seed-watch/seed-watch.ts';
import { LeaseClient } from 'dependency-watchdog/adapters/election/lease-client.ts';
import { microTime } from 'dependency-watchdog/adapters/election/lease-record.ts';
import { kubeClusterApi } from 'dependency-watchdog/adapters/seed/cluster-api.ts';
import { kubeMachineApi } from 'dependency-watchdog/adapters/seed/machine-api.ts';
import { kubeScaler } from 'dependency-watchdog/adapters/seed/scaler.ts';
import { kubeShootApi } from 'dependency-watchdog/adapters/shoot/kube-shoot-api.ts';
import { systemClock as clock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { podRemover } from 'dependency-watchdog/adapters/weeder-seed/pod-remover.ts';
import { podWatch } from 'dependency-watchdog/adapters/weeder-seed/pod-watch.ts';
import { serviceWatch } from 'dependency-watchdog/adapters/weeder-seed/service-watch.ts';
import type { Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Answer } from 'dependency-watchdog/effects/ports.ts';
import { seedUser, shootUser, weederUser } from '@dwd/testing/gardener-rbac.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { realSeed, realShoot } from './real-tier.ts';
import { asUser, refusalOfStream } from './role-on-seed.ts';

/** The smallest piece of the program that needs a permission: undefined where it works, and what it has to say where it is refused. */
export type Need = (place: NeedPlace) => Promise<string | undefined>;

type NeedPlace = Readonly<{
  /** Where the Deployment `kube-controller-manager` stands. */
  namespace: string;
  /** Puts a pod there; its uid. */
  addPod: () => Promise<Readonly<{ name: string; uid: string }>>;
}>;

const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' } as const;
const step = { level: 0, initialDelay: 0, timeout: 1_000 };
const dependant: Dependant = { key: 'the only one', ref, optional: false, scaleUp: step, scaleDown: step };
const service = 'least-privilege';
const weeded = { services: [{ name: service, podSelectors: ['role'] }] };
const never = new AbortController().signal;
const soon = () => clock.now() + 10_000;

const seed = realSeed();
const users = {
  prober: { reach: seed.reach, token: seed.token(seedUser) },
  weeder: { reach: seed.reach, token: seed.token(weederUser) },
};

/** By the words of the permission. */
export const needs: Readonly<Record<string, Need>> = {
  ...ofStream('prober', 'extensions.gardener.cloud/clusters', proberStream('clusters')),
  'prober: get extensions.gardener.cloud/clusters': ({ namespace }) =>
    asUser(users.prober, async (client) => {
      const answer = await kubeClusterApi(client, clock).readCluster(namespace, soon(), never);
      return answer.outcome === 'failed' ? answer.detail : undefined;
    }),
  ...ofStream('prober', 'secrets', proberStream('secrets/a-name')),
  ...ofStream('prober', 'apps/deployments', proberStream(`deployments/${ref.name}`)),
  'prober: get apps/deployments': ({ namespace }) =>
    asUser(users.prober, async (client) => {
      const answer = await kubeScaler({ client, clock }).read(namespace, ref, { urgent: true });
      return answer.outcome === 'read' ? undefined : answer.detail;
    }),
  'prober: patch apps/deployments': async ({ namespace }) => {
    const { body } = await seed.call('GET', `/apis/apps/v1/namespaces/${namespace}/deployments/${ref.name}`);
    const seen = readResource(body);
    const options = { urgent: true, withdrawn: never };
    const change = { replicas: 1, mark: false };
    return asUser(users.prober, async (client) => {
      const answer = await kubeScaler({ client, clock }).write(namespace, ref, seen, change, options);
      return answer.outcome === 'written' ? undefined : JSON.stringify(answer);
    });
  },
  'prober: list machine.sapcloud.io/machines': ({ namespace }) =>
    asUser(users.prober, async (client) =>
      failureOf(await kubeMachineApi(client, clock).listMachines(namespace, soon(), never, { urgent: true })),
    ),
  ...ofLease('prober'),

  ...ofStream('weeder', 'discovery.k8s.io/endpointslices', () =>
    refusalOfStream(users.weeder, 'endpointslices', (parts) => serviceWatch({ ...parts, config: weeded }).synced$),
  ),
  ...ofStream('weeder', 'pods', ({ namespace }) =>
    refusalOfStream(users.weeder, 'pods', (parts) =>
      podWatch({ ...parts, config: weeded }).pods$({ namespace, service }, ['role']),
    ),
  ),
  'weeder: delete pods': async ({ namespace, addPod }) => {
    const pod = await addPod();
    return asUser(users.weeder, async (client) => {
      const answer = await podRemover(client).remove(namespace, pod, never);
      return answer.outcome === 'deleted' ? undefined : JSON.stringify(answer);
    });
  },
  'weeder in garden: create events': () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', name: 'a-pod' };
    const occurrence = { namespace: 'garden', ref: pod, type: 'Normal', reason: 'Weeded', message: 'a test' } as const;
    const event = eventObject(occurrence, { component: 'test', at: clock.now(), count: 1 });
    const path = '/api/v1/namespaces/garden/events';
    return asUser(users.weeder, (client) => refusalOf(() => client.request({ method: 'POST', path, body: event })));
  },
  ...ofLease('weeder'),

  'probe in kube-node-lease: list coordination.k8s.io/leases': async ({ namespace }) =>
    failureOf(await shootApi().listLeases(namespace, soon(), never)),
  'probe: list nodes': async ({ namespace }) => failureOf(await shootApi().listNodes(namespace, soon(), never)),
};

/** A stream needs a list, and then a watch. */
function ofStream(role: string, resource: string, need: Need): Readonly<Record<string, Need>> {
  return { [`${role}: list ${resource}`]: need, [`${role}: watch ${resource}`]: need };
}

function proberStream(stream: string): Need {
  const config = { ...gardenerConfig, kubeConfigSecretName: 'a-name', dependants: [dependant] };
  return () => refusalOfStream(users.prober, stream, (parts) => seedWatch({ ...parts, config }).synced$);
}

function ofLease(role: keyof typeof users): Readonly<Record<string, Need>> {
  const name = `dwd-${role}-leader-election`;
  const collection = '/apis/coordination.k8s.io/v1/namespaces/garden/leases';
  const now = microTime(clock.now());
  const record = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions: 0 };
  const there = async () => {
    await seed.call('POST', collection, { metadata: { name }, spec: record }, [409]);
    return (await seed.call('GET', `${collection}/${name}`)).body;
  };
  const trying = (work: (leases: LeaseClient) => Promise<unknown>) =>
    asUser(users[role], (client: KubeClient) => refusalOf(() => work(new LeaseClient(client, 'garden', name))));
  const permission = (verb: string) => `${role} in garden: ${verb} coordination.k8s.io/leases`;
  return {
    [permission('create')]: async () => {
      await seed.call('DELETE', `${collection}/${name}`, undefined, [404]);
      return trying((leases) => leases.create(record, never));
    },
    [permission('get')]: () => trying((leases) => leases.get(never)),
    [permission('update')]: async () => {
      const lease = await there();
      return trying((leases) => leases.update(lease, record, never));
    },
    [permission('watch')]: async () => {
      await there();
      return trying(async (leases) => {
        for await (const _ of leases.watch(never, 10_000)) return;
      });
    },
  };
}

function shootApi() {
  const text = realShoot().kubeconfig(shootUser);
  return kubeShootApi({
    kubeconfigOf: () => text,
    config: gardenerConfig,
    clock,
    onRequest: () => undefined,
  });
}

function failureOf(answer: Answer<unknown>): string | undefined {
  return answer.ok ? undefined : answer.failure.detail;
}

async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return error.message;
  }
}
