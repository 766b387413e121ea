import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import type { SharedServiceWatch } from '../../src/adapters/weeder-seed/service-watch.ts';
import type { PodRef } from '../../src/domain/weeder/pod-view.ts';
import { isAvailable } from '../../src/domain/weeder/service-readiness.ts';
import { serviceKey } from '../../src/domain/weeder/service-ref.ts';
import type { PodNews, PodRemover, PodWatch } from '../../src/effects/ports.ts';
import type { ServiceEvent } from '../../src/machines/weeder-language.ts';
import { collector } from './collector.ts';

export type WeederSeedStage = Readonly<{
  /** Follows the services `contract-etcd` and `contract-apiserver`. */
  services: SharedServiceWatch;
  pods: PodWatch;
  remover: PodRemover;
  /** Of an administrator, to set the scene. */
  admin: KubeClient;
  /** An empty namespace of its own, in which nobody else lives, and no controller and no kubelet does anything. */
  namespace: string;
}>;

const never = new AbortController().signal;

function sceneOf({ admin, namespace, ...ports }: WeederSeedStage) {
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const merge = (path: string, body: unknown) =>
    admin.request({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });

  const sliceOf = (name: string, service: string, ready: readonly (boolean | undefined)[]) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: ready.map((is, index) => ({
      addresses: [`10.0.0.${index + 1}`],
      conditions: is === undefined ? {} : { ready: is },
    })),
    ports: [],
  });

  return {
    ...ports,
    namespace,
    createSlice: (name: string, service: string, ready: readonly (boolean | undefined)[]) =>
      admin.request({ method: 'POST', path: slices, body: sliceOf(name, service, ready) }),
    /** Its endpoints, and whose it is. */
    changeSlice: (name: string, service: string, ready: readonly (boolean | undefined)[]) => {
      const { metadata, endpoints } = sliceOf(name, service, ready);
      return merge(`${slices}/${name}`, { metadata: { labels: metadata.labels }, endpoints });
    },
    deleteSlice: (name: string) => admin.request({ method: 'DELETE', path: `${slices}/${name}` }),
    /** On a node, so that it ends with a grace, or on none. */
    createPod: async (name: string, labels: object, node?: string): Promise<PodRef> => {
      const created = await admin.request({
        method: 'POST',
        path: pods,
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, labels },
          spec: {
            ...(node === undefined ? {} : { nodeName: node }),
            automountServiceAccountToken: false,
            containers: [{ name: 'main', image: 'none' }],
            initContainers: [{ name: 'sidecar', image: 'none', restartPolicy: 'Always' }],
          },
        },
      });
      return { name, uid: (created as { metadata: { uid: string } }).metadata.uid };
    },
    /** As a kubelet says it; `list` is the kind of container. */
    report: (name: string, list: 'containerStatuses' | 'initContainerStatuses', reason: string | undefined) => {
      const container = list === 'containerStatuses' ? 'main' : 'sidecar';
      const state = reason === undefined ? { running: { startedAt: '2026-01-01T00:00:00Z' } } : { waiting: { reason } };
      const status = { name: container, image: 'none', imageID: '', ready: false, restartCount: 3, state };
      return merge(`${pods}/${name}/status`, { status: { [list]: [status] } });
    },
    label: (name: string, labels: object) => merge(`${pods}/${name}`, { metadata: { labels } }),
    /** Whatever holds it. */
    endPod: (name: string) =>
      admin.request({
        method: 'DELETE',
        path: `${pods}/${name}`,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      }),
    uidsOf: async () => {
      const list = (await admin.request({ method: 'GET', path: pods })) as { items: { metadata: { uid: string } }[] };
      return list.items.map(({ metadata }) => metadata.uid);
    },
    follow: (service: string, selectors: readonly string[]) =>
      collector(ports.pods.pods$({ namespace, service }, selectors)),
  };
}

const availability = (event: ServiceEvent) =>
  event.type === 'service.gone' ? 'gone' : isAvailable(event.slices) ? 'up' : 'down';
const words = ({ type, pod }: PodNews) => (type === 'gone' ? `${pod.name} gone` : `${pod.name} ${pod.state}`);

/** Checks the weeder's ports of the seed, whatever stands behind them. Each test has a stage of its own. */
export function weederSeedContract(stage: () => Promise<WeederSeedStage>): void {
  test('7.1 a service is followed over all its slices, from its first to its last', async () => {
    const scene = sceneOf(await stage());
    const key = serviceKey({ namespace: scene.namespace, service: 'contract-apiserver' });
    const services = collector(scene.services.services$);
    await firstValueFrom(scene.services.synced$.pipe(filter((is) => is)));
    const followed = collector(scene.services.events$(key));
    await scene.createSlice('one', 'contract-apiserver', [false]);
    expect(availability(await followed.next())).toBe('down');
    await services.next((set) => set.has(key));
    await scene.createSlice('elsewhere', 'contract-unknown', [true]);
    await scene.createSlice('empty', 'contract-apiserver', []);
    await followed.next();
    await scene.changeSlice('one', 'contract-apiserver', [false, undefined]);
    expect(await followed.next()).toMatchObject({
      slices: { one: { ready: 1, endpoints: 2 }, empty: { ready: 0, endpoints: 0 } },
    });
    await scene.changeSlice('one', 'contract-etcd', [true]);
    expect(availability(await followed.next())).toBe('down');
    await scene.deleteSlice('empty');
    expect(availability(await followed.next())).toBe('gone');
    const left = await services.next((set) => !set.has(key));
    expect([...left].filter((one) => one.startsWith(`${scene.namespace}/`))).toEqual([
      `${scene.namespace}/contract-etcd`,
    ]);
    for (const { subscription } of [services, followed]) subscription.unsubscribe();
  });

  test('7.3 of the selected pods those that crash-loop are told, and each change of them', async () => {
    const scene = sceneOf(await stage());
    await scene.createPod('old', { role: 'controller' });
    await scene.report('old', 'containerStatuses', 'CrashLoopBackOff');
    await scene.createPod('stranger', { role: 'apiserver' });
    await scene.report('stranger', 'containerStatuses', 'CrashLoopBackOff');
    const { collected, next, subscription } = scene.follow('contract-apiserver', ['role in (controller)', 'tier']);
    expect(words(await next())).toBe('old crashLooping');

    await scene.createPod('new', { role: 'controller' });
    await scene.report('new', 'containerStatuses', 'ErrImagePull');
    await scene.report('new', 'initContainerStatuses', 'CrashLoopBackOff');
    expect(await next()).toMatchObject({ pod: { name: 'new', state: 'crashLooping', containers: ['sidecar'] } });
    await scene.report('new', 'initContainerStatuses', undefined);
    expect(words(await next())).toBe('new fine');
    await scene.label('new', { tier: 'one' });
    await scene.label('new', { role: 'another' });
    await scene.label('old', { role: null });
    expect(words(await next())).toBe('old gone');
    await scene.label('new', { tier: null });
    expect(words(await next())).toBe('new gone');
    expect(collected).toHaveLength(5);
    subscription.unsubscribe();
  });

  for (const node of [undefined, 'contract-node']) {
    const place = node === undefined ? 'on no node' : 'on a node';
    test(`7.3 a pod ${place} is deleted in its own time, and who follows it hears so`, async () => {
      const scene = sceneOf(await stage());
      const pod = await scene.createPod('p', { role: 'controller' }, node);
      await scene.report('p', 'containerStatuses', 'CrashLoopBackOff');
      const { collected, next, subscription } = scene.follow('contract-apiserver', ['role']);
      await next();
      expect(await scene.remover.remove(scene.namespace, pod, never)).toEqual({ outcome: 'deleted' });
      // On a node it ends until the kubelet says that it has; elsewhere it may never be seen to end.
      const again = await scene.remover.remove(scene.namespace, pod, never);
      expect(again).toEqual({ outcome: node === undefined ? 'gone' : 'deleted' });
      if (node !== undefined) await scene.endPod('p');
      await next(({ type }) => type === 'gone');
      const told = collected.map(words);
      expect(told.filter((one) => one !== 'p ending')).toEqual(['p crashLooping', 'p gone']);
      expect(told.slice(1, -1)).toEqual(told.length === 2 && node === undefined ? [] : ['p ending']);
      expect(await scene.remover.remove(scene.namespace, pod, never)).toEqual({ outcome: 'gone' });
      subscription.unsubscribe();
    });
  }

  test('S8 another incarnation of the same name is told as another pod, and is not deleted for the first', async () => {
    const scene = sceneOf(await stage());
    const first = await scene.createPod('etcd-0', { role: 'etcd' });
    await scene.report('etcd-0', 'containerStatuses', 'CrashLoopBackOff');
    const { next, subscription } = scene.follow('contract-etcd', ['role', 'role in (etcd)']);
    await next();
    await scene.endPod('etcd-0');
    const second = await scene.createPod('etcd-0', { role: 'etcd' });
    await scene.report('etcd-0', 'containerStatuses', 'CrashLoopBackOff');
    expect(await next(({ type }) => type === 'gone')).toEqual({ type: 'gone', pod: first });
    expect(await next()).toMatchObject({ type: 'changed', pod: { ...second, state: 'crashLooping' } });
    expect(await scene.remover.remove(scene.namespace, first, never)).toEqual({ outcome: 'replaced' });
    expect(await scene.uidsOf()).toEqual([second.uid]);
    expect(await scene.remover.remove(scene.namespace, second, never)).toEqual({ outcome: 'deleted' });
    subscription.unsubscribe();
  });

  test('7.3 a pod of a namespace that is not there is gone', async () => {
    const { remover } = await stage();
    const answer = await remover.remove('contract-nowhere', { name: 'p', uid: 'u' }, never);
    expect(answer).toEqual({ outcome: 'gone' });
  });

  test('1.2 what is withdrawn before it is sent does nothing', async () => {
    const scene = sceneOf(await stage());
    const pod = await scene.createPod('p', { role: 'controller' });
    const answer = await scene.remover.remove(scene.namespace, pod, AbortSignal.abort());
    expect(answer).toEqual({ outcome: 'withdrawn' });
    expect(await scene.uidsOf()).toEqual([pod.uid]);
  });

  test('7.4 who follows pods from many selectors hears each of them once', async () => {
    const scene = sceneOf(await stage());
    for (let index = 0; index < 5; index++) {
      await scene.createPod(`p${index}`, { role: 'controller', number: String(index) });
      await scene.report(`p${index}`, 'containerStatuses', 'CrashLoopBackOff');
    }
    const selectors = ['role', 'role in (controller)', 'number notin (9)', 'number=4', '!missing'];
    const { collected, next, subscription } = scene.follow('contract-apiserver', selectors);
    for (let index = 0; index < 5; index++) await next();
    // Gone is what no selector picks any more: by then each of them has spoken.
    await scene.endPod('p4');
    await next(({ type }) => type === 'gone');
    const changed = [0, 1, 2, 3, 4].map((index) => `p${index} crashLooping`);
    const told = collected.map(words).filter((one) => one !== 'p4 ending');
    expect(told.toSorted()).toEqual([...changed, 'p4 gone'].toSorted());
    subscription.unsubscribe();
  });
}
