import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { ResourceKind } from '../../../src/simulator/store/resource-kind.ts';
import { Revision } from '../../../src/simulator/store/revision.ts';
import type { Observation } from '../observation.ts';

export const shoot = 'shoot--demo--01';
export const start = 1_000_000;
export const weeder = 'weeder-0#1';

/** An object of the seed changed; without a writer a controller did it. */
export function change(of: ResourceKind, at: number, object: object, writer?: string): Observation {
  const revision = new Revision(object as never, at);
  const by = writer === undefined ? undefined : { user: writer, sentAt: at };
  return {
    at,
    kind: 'change',
    of,
    change: { resourceVersion: at, type: 'MODIFIED', revision, previous: undefined, writer: by },
  };
}

/** So long after `start` the only slice of etcd has an endpoint that is ready, or not. */
export function slice(after: number, ready: boolean): Observation {
  const metadata = { name: 'one', namespace: shoot, labels: { 'kubernetes.io/service-name': 'etcd-main-client' } };
  return change(kinds.endpointSlice, start + after, { metadata, endpoints: [{ conditions: { ready } }] });
}

export const weederConfig = {
  watchDuration: 300_000,
  services: [{ name: 'etcd-main-client', podSelectors: ['role in (apiserver)'] }],
};
