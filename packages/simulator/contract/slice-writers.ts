import type { V1EndpointSlice, V1EndpointSubset } from '@kubernetes/client-node';
import { mergePatch, tolerating, type OperatorClient } from '@dwd/lab/real/operator-client.ts';
import type { Readiness, WeederSeedStage } from './weeder-seed.contract.ts';

export type SliceWriter = Pick<WeederSeedStage, 'createSlice' | 'changeSlice' | 'deleteSlice'>;

/** Writes the slices themselves. */
export function endpointSliceWriter({ discovery }: OperatorClient, namespace: string): SliceWriter {
  return {
    createSlice: (name, service, ready) =>
      discovery.createNamespacedEndpointSlice({ namespace, body: endpointSlice(name, service, ready) }),
    changeSlice: (name, service, ready) => {
      const { metadata, endpoints } = endpointSlice(name, service, ready);
      const body = { metadata: { labels: metadata?.labels }, endpoints };
      return discovery.patchNamespacedEndpointSlice({ namespace, name, body }, mergePatch);
    },
    deleteSlice: (name) => discovery.deleteNamespacedEndpointSlice({ namespace, name }),
  };
}

/** Writes what the endpoints controller makes of the same: one Endpoints object for all slices of a service. */
export function endpointsWriter({ core }: OperatorClient, namespace: string): SliceWriter {
  const slices = new Map<string, Readonly<{ service: string; ready: Readiness }>>();
  const write = async (name: string | undefined): Promise<void> => {
    if (name === undefined) return;
    const mine = [...slices].filter(([, { service }]) => service === name);
    if (mine.length === 0) {
      await tolerating([404], core.deleteNamespacedEndpoints({ namespace, name }));
      return;
    }
    const subsets = mine.flatMap(([slice, { ready }]) => subsetOf(slice, ready));
    const patched = core.patchNamespacedEndpoints({ namespace, name, body: { subsets } }, mergePatch);
    if ((await tolerating([404], patched)) === undefined)
      await core.createNamespacedEndpoints({ namespace, body: { metadata: { name }, subsets } });
  };
  const put: SliceWriter['createSlice'] = async (slice, service, ready) => {
    const before = slices.get(slice)?.service;
    slices.set(slice, { service, ready });
    if (before !== service) await write(before);
    await write(service);
  };
  return {
    createSlice: put,
    changeSlice: put,
    deleteSlice: async (slice) => {
      const before = slices.get(slice)?.service;
      slices.delete(slice);
      await write(before);
    },
  };
}

function endpointSlice(name: string, service: string, ready: Readiness): V1EndpointSlice {
  return {
    metadata: { name, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: ready.map((is, index) => ({
      addresses: [addressIn(name, index)],
      conditions: is === undefined ? {} : { ready: is },
    })),
    ports: [],
  };
}

/** None where the slice is empty: a subset has to have an address. */
function subsetOf(slice: string, ready: Readiness): readonly V1EndpointSubset[] {
  if (ready.length === 0) return [];
  const all = ready.map((is, index) => ({ is: is ?? true, address: { ip: addressIn(slice, index) } }));
  const addresses = all.filter(({ is }) => is).map(({ address }) => address);
  const notReadyAddresses = all.filter(({ is }) => !is).map(({ address }) => address);
  return [{ addresses, notReadyAddresses, ports: [{ name: 'server', port: 443 }] }];
}

/** No address is in two slices whose names differ in length. */
function addressIn(slice: string, index: number): string {
  return `10.0.${slice.length}.${index + 1}`;
}
