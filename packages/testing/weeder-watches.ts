import { readSlice, type Slices, type SliceView } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { PodRef, PodView } from 'dependency-watchdog/domain/weeder/pod.ts';
import { serviceKey, type ServiceKey, type ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { PodNews } from 'dependency-watchdog/effects/ports.ts';
import type { Selector } from 'dependency-watchdog/domain/read-selector.ts';
import { labelSelector } from '@dwd/simulator/api/selection.ts';
import { podView } from './weeder-driver.ts';

export type SimPod = {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The labels that selectors match. */
  labels: Readonly<Record<string, string>>;
  /** The names of the containers that crash-loop. */
  crashing: readonly string[];
  ending: boolean;
};

/** One open watch on the dependants of a service: what it has reported, and so what is known of them. */
export class PodFollower {
  readonly service: ServiceKey;
  readonly #namespace: string;
  readonly #selectors: readonly Selector[];
  readonly #emit: (news: PodNews) => void;
  readonly #told = new Map<string, PodView>();
  #listed = false;

  constructor(of: ServiceRef, selectors: readonly string[], emit: (news: PodNews) => void) {
    this.service = serviceKey(of);
    this.#namespace = of.namespace;
    this.#selectors = selectors.map(labelSelector);
    this.#emit = emit;
  }

  /** Reports the differences from what was reported, deleted pods first. */
  list(pods: Iterable<SimPod>): void {
    this.#listed = true;
    const all = [...pods];
    const uids = new Set(all.map(({ uid }) => uid));
    for (const { name, uid } of this.#told.values()) if (!uids.has(uid)) this.#forget({ name, uid });
    for (const pod of all) this.look(pod);
  }

  look(pod: SimPod): void {
    if (!this.#listed) return;
    const { name, uid } = pod;
    const told = this.#told.get(uid);
    if (!this.#picks(pod)) {
      if (told !== undefined) this.#forget({ name, uid });
      return;
    }
    const state = stateOf(pod);
    if (told === undefined ? state !== 'waiting' : told.state === state) return;
    const view = podView({ name, uid }, state, pod.crashing);
    this.#told.set(uid, view);
    this.#emit({ type: 'changed', pod: view });
  }

  lose({ name, uid }: SimPod): void {
    if (this.#told.has(uid)) this.#forget({ name, uid });
  }

  knowsCrashLooping({ name, uid }: PodRef): boolean {
    const told = this.#told.get(uid);
    return told?.name === name && told.state === 'waiting';
  }

  #forget(pod: PodRef): void {
    this.#told.delete(pod.uid);
    this.#emit({ type: 'gone', pod });
  }

  #picks({ namespace, labels }: SimPod): boolean {
    return namespace === this.#namespace && this.#selectors.some((selects) => selects(labels));
  }
}

function stateOf({ crashing, ending }: SimPod): PodView['state'] {
  if (ending) return 'ending';
  return crashing.length > 0 ? 'waiting' : 'fine';
}

/** `terminating` as Kubernetes writes it of a pod that ends: not ready, though it may still serve. */
export type SimEndpoint = 'ready' | 'unready' | 'unknown' | 'terminating';

/** The endpoints as the weeder's own reading gives them; undefined if there are none. */
export function viewsOf(slices: ReadonlyMap<string, readonly SimEndpoint[]>): Slices | undefined {
  if (slices.size === 0) return undefined;
  return Object.fromEntries([...slices].map(([name, endpoints]) => [name, viewOf(endpoints)]));
}

function viewOf(endpoints: readonly SimEndpoint[]): SliceView {
  const slice = { metadata: { labels: { 'kubernetes.io/service-name': 'it' } }, endpoints: endpoints.map(written) };
  return readSlice(slice)!.view;
}

function written(endpoint: SimEndpoint): object {
  switch (endpoint) {
    case 'ready':
      return { conditions: { ready: true, serving: true, terminating: false } };
    case 'unready':
      return { conditions: { ready: false, serving: false, terminating: false } };
    case 'unknown':
      return { conditions: {} };
    case 'terminating':
      return { conditions: { ready: false, serving: true, terminating: true } };
  }
}
