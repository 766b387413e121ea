import type { JsonObject } from '../store/kube-object.ts';

export type SliceEndpoint = Readonly<{
  address: string;
  /** Undefined: the slice says nothing of it. */
  ready?: boolean | undefined;
  serving?: boolean;
  terminating?: boolean;
  pod?: Readonly<{ name: string; uid: string }>;
}>;

type SliceDraft = Readonly<{
  name: string;
  namespace: string;
  service: string;
  endpoints?: readonly SliceEndpoint[];
  addressType?: 'IPv4' | 'IPv6';
}>;

/** An EndpointSlice to be created; without endpoints it has null for a list, as real ones do. */
export function sliceObject({
  name,
  namespace,
  service,
  endpoints = [],
  addressType = 'IPv4',
}: SliceDraft): JsonObject {
  return {
    metadata: {
      name,
      namespace,
      labels: {
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': service,
      },
    },
    addressType,
    endpoints: endpoints.length === 0 ? null : endpoints.map((endpoint) => endpointObject(endpoint, namespace)),
    ports: endpoints.length === 0 ? null : [{ name: 'server', protocol: 'TCP', port: 443 }],
  };
}

function endpointObject({ address, ready, serving, terminating, pod }: SliceEndpoint, namespace: string): JsonObject {
  return {
    addresses: [address],
    conditions: {
      ...(ready === undefined ? {} : { ready }),
      ...(serving === undefined ? {} : { serving }),
      ...(terminating === undefined ? {} : { terminating }),
    },
    ...(pod === undefined ? {} : { targetRef: { kind: 'Pod', namespace, name: pod.name, uid: pod.uid } }),
  };
}
