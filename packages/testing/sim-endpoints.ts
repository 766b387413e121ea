import { readSlice, type Slices, type SliceView } from 'dependency-watchdog/domain/weeder/service-slices.ts';

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
