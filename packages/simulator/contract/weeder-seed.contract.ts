import { expect, test } from 'vitest';
import type { PodRef } from 'dependency-watchdog/domain/weeder/pod.ts';
import { isAvailable, joined } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import { serviceKey } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { PodNews, PodRemover, PodWatch, ServiceWatch } from 'dependency-watchdog/effects/ports.ts';
import type { ServiceEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import { collector } from './collector.ts';
import { waits } from '@dwd/testing/weeder-driver.ts';

/** A namespace of a seed, and the hands that act in it. No controller and no kubelet does anything there. */
export type WeederSeedStage = Readonly<{
  /** Follows the services `contract-etcd` and `contract-apiserver`. */
  services: ServiceWatch;
  pods: PodWatch;
  remover: PodRemover;
  /** An empty one, in which nobody else lives. */
  namespace: string;
  /** Resolves once `services` has its first list. */
  synced(): Promise<unknown>;
  createSlice(name: string, service: string, ready: Readiness): Promise<unknown>;
  /** Its endpoints, and the service to which it belongs. */
  changeSlice(name: string, service: string, ready: Readiness): Promise<unknown>;
  deleteSlice(name: string): Promise<unknown>;
  /** With the containers `main` and `sidecar`. On a node it ends with a grace period, on none at once. */
  createPod(name: string, labels: Readonly<Record<string, string>>, node?: string): Promise<PodRef>;
  /** As a kubelet reports it: the reason for which a container waits; it runs where there is none. */
  report(name: string, container: 'main' | 'sidecar', reason: string | undefined): Promise<unknown>;
  /** Sets labels; null removes one. */
  label(name: string, labels: Readonly<Record<string, string | null>>): Promise<unknown>;
  /** At once, whatever its grace period. */
  endPod(name: string): Promise<unknown>;
  uids(): Promise<readonly string[]>;
}>;

/** Of each endpoint, whether it is ready; undefined where the slice does not say. */
export type Readiness = readonly (boolean | undefined)[];

/** Everything that a test asks `pods` for. */
export const contractSelectors: readonly string[] = [
  'role',
  'tier',
  'role in (controller)',
  'role in (etcd)',
  'number notin (9)',
  'number=4',
  '!missing',
];

const never = new AbortController().signal;

const follow = ({ pods, namespace }: WeederSeedStage, service: string, selectors: readonly string[]) =>
  collector(pods.pods$({ namespace, service }, selectors));

const availability = (event: ServiceEvent) =>
  event.type === 'service.gone' ? 'gone' : isAvailable(event.slices) ? 'up' : 'down';
/** Over all slices: how they are told apart is the kind's own. */
const total = (event: ServiceEvent) => {
  if (event.type === 'service.gone') return 'gone';
  const { ready, endpoints } = joined(event.slices);
  return `${ready} of ${endpoints}`;
};
const words = ({ type, pod }: PodNews) => (type === 'gone' ? `${pod.name} gone` : `${pod.name} ${pod.state}`);

/** Checks the weeder's ports of the seed, whatever stands behind them. Each test has a stage of its own. */
export function weederSeedContract(stage: () => Promise<WeederSeedStage>): void {
  test('7.1 7.6 a service is followed over all its slices, from its first to its last', async () => {
    const scene = await stage();
    const key = serviceKey({ namespace: scene.namespace, service: 'contract-apiserver' });
    const services = collector(scene.services.services$);
    await scene.synced();
    const followed = collector(scene.services.events$(key));
    await scene.createSlice('one', 'contract-apiserver', [false]);
    expect(availability(await followed.next())).toBe('down');
    await services.next((set) => set.has(key));
    await scene.createSlice('elsewhere', 'contract-unknown', [true]);
    await scene.createSlice('empty', 'contract-apiserver', []);
    await scene.createSlice('more', 'contract-apiserver', [false]);
    expect(await followed.next((event) => total(event) === '0 of 2')).toMatchObject({ type: 'slices.changed' });
    await scene.changeSlice('one', 'contract-apiserver', [false, undefined]);
    expect(total(await followed.next())).toBe('1 of 3');
    await scene.changeSlice('one', 'contract-etcd', [true]);
    expect(total(await followed.next())).toBe('0 of 1');
    await scene.deleteSlice('more');
    expect(total(await followed.next())).toBe('0 of 0');
    await scene.deleteSlice('empty');
    expect(availability(await followed.next())).toBe('gone');
    const left = await services.next((set) => !set.has(key));
    expect([...left].filter((one) => one.startsWith(`${scene.namespace}/`))).toEqual([
      `${scene.namespace}/contract-etcd`,
    ]);
    for (const { subscription } of [services, followed]) subscription.unsubscribe();
  });

  test('7.3 the watch reports the selected pods that crash-loop, and each change of them', async () => {
    const scene = await stage();
    await scene.createPod('old', { role: 'controller' });
    await scene.report('old', 'main', 'CrashLoopBackOff');
    await scene.createPod('stranger', { role: 'apiserver' });
    await scene.report('stranger', 'main', 'CrashLoopBackOff');
    const { collected, next, subscription } = follow(scene, 'contract-apiserver', ['role in (controller)', 'tier']);
    expect(words(await next())).toBe('old waiting');

    await scene.createPod('new', { role: 'controller' });
    await scene.report('new', 'main', 'ErrImagePull');
    await scene.report('new', 'sidecar', 'CrashLoopBackOff');
    expect(await next()).toMatchObject({ pod: { name: 'new', state: 'waiting', waits: waits('sidecar') } });
    await scene.report('new', 'sidecar', undefined);
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
      const scene = await stage();
      const pod = await scene.createPod('p', { role: 'controller' }, node);
      await scene.report('p', 'main', 'CrashLoopBackOff');
      const { collected, next, subscription } = follow(scene, 'contract-apiserver', ['role']);
      await next();
      expect(await scene.remover.remove(scene.namespace, pod, never)).toEqual({ outcome: 'deleted' });
      // On a node it ends until the kubelet says that it has; elsewhere it may never be seen to end.
      const again = await scene.remover.remove(scene.namespace, pod, never);
      expect(again).toEqual({ outcome: node === undefined ? 'gone' : 'deleted' });
      if (node !== undefined) await scene.endPod('p');
      await next(({ type }) => type === 'gone');
      const told = collected.map(words);
      expect(told.filter((one) => one !== 'p ending')).toEqual(['p waiting', 'p gone']);
      expect(told.slice(1, -1)).toEqual(told.length === 2 && node === undefined ? [] : ['p ending']);
      expect(await scene.remover.remove(scene.namespace, pod, never)).toEqual({ outcome: 'gone' });
      subscription.unsubscribe();
    });
  }

  test('S8 another incarnation of the same name is reported as another pod, and is not deleted for the first', async () => {
    const scene = await stage();
    const first = await scene.createPod('etcd-0', { role: 'etcd' });
    await scene.report('etcd-0', 'main', 'CrashLoopBackOff');
    const { next, subscription } = follow(scene, 'contract-etcd', ['role', 'role in (etcd)']);
    await next();
    await scene.endPod('etcd-0');
    const second = await scene.createPod('etcd-0', { role: 'etcd' });
    await scene.report('etcd-0', 'main', 'CrashLoopBackOff');
    expect(await next(({ type }) => type === 'gone')).toEqual({ type: 'gone', pod: first });
    expect(await next()).toMatchObject({ type: 'changed', pod: { ...second, state: 'waiting' } });
    expect(await scene.remover.remove(scene.namespace, first, never)).toEqual({ outcome: 'replaced' });
    expect(await scene.uids()).toEqual([second.uid]);
    expect(await scene.remover.remove(scene.namespace, second, never)).toEqual({ outcome: 'deleted' });
    subscription.unsubscribe();
  });

  test('7.3 a pod of a namespace that is not there is gone', async () => {
    const { remover } = await stage();
    const answer = await remover.remove('contract-nowhere', { name: 'p', uid: 'u' }, never);
    expect(answer).toEqual({ outcome: 'gone' });
  });

  test('1.2 what is withdrawn before it is sent does nothing', async () => {
    const scene = await stage();
    const pod = await scene.createPod('p', { role: 'controller' });
    const answer = await scene.remover.remove(scene.namespace, pod, AbortSignal.abort());
    expect(answer).toEqual({ outcome: 'withdrawn' });
    expect(await scene.uids()).toEqual([pod.uid]);
  });

  test('7.4 a follower of pods from many selectors hears each of them once', async () => {
    const scene = await stage();
    for (let index = 0; index < 5; index++) {
      await scene.createPod(`p${index}`, { role: 'controller', number: String(index) });
      await scene.report(`p${index}`, 'main', 'CrashLoopBackOff');
    }
    const selectors = ['role', 'role in (controller)', 'number notin (9)', 'number=4', '!missing'];
    const { collected, next, subscription } = follow(scene, 'contract-apiserver', selectors);
    for (let index = 0; index < 5; index++) await next();
    // Gone is what no selector picks any more: by then each of them has spoken.
    await scene.endPod('p4');
    await next(({ type }) => type === 'gone');
    const changed = [0, 1, 2, 3, 4].map((index) => `p${index} waiting`);
    const told = collected.map(words).filter((one) => one !== 'p4 ending');
    expect(told.toSorted()).toEqual([...changed, 'p4 gone'].toSorted());
    subscription.unsubscribe();
  });
}
