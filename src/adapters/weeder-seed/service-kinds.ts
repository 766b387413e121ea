import { readEndpoints, readSlice, type SliceReading } from '../../domain/weeder/service-slices.ts';
import { endpointSlicesPath, endpointsPath } from '../kube/paths.ts';

/** A kind of objects that tells which endpoints of a service are ready, and how it is asked for. */
export type ServiceKind = Readonly<{
  /** Of its streams, as notices and metrics have it. */
  stream: string;
  path: string;
  /** One stream each; `of` is its name where there are several. */
  queries: readonly Readonly<{ of?: string; query: Readonly<Record<string, string>> }>[];
  pageSize: number;
  /** Objects that one stream keeps. */
  limit: number;
  /** Undefined where the object belongs to no configured service. */
  read: (object: unknown) => SliceReading | undefined;
}>;

/** Ten services in a thousand namespaces, with two slices each (dual stack). A stored slice takes some 500 bytes. */
const mostSlices = 20_000;

/** A slice has 1 or 2 KB; with 1,000 endpoints, the most that Kubernetes allows, 300 KB. So has an Endpoints object. */
const page = 100;

/** One in each namespace; a seed has some hundred. */
const mostEndpoints = 5_000;

/** The EndpointSlices of these services in all namespaces: one stream, since a label names their service. */
export function endpointSliceKind(names: ReadonlySet<string>): ServiceKind {
  return {
    stream: 'endpointslices',
    path: endpointSlicesPath,
    queries: [{ query: { labelSelector: `kubernetes.io/service-name in (${[...names].join(',')})` } }],
    pageSize: page,
    limit: mostSlices,
    read: (object) => ofThese(names, readSlice(object)),
  };
}

/**
 * The Endpoints of these services in all namespaces. Nothing but their name says whose they are, and a field selector takes one name: so
 * there is a stream for each. One for all would bring every Endpoints object of the seed, and each of its changes.
 */
export function endpointsKind(names: ReadonlySet<string>): ServiceKind {
  return {
    stream: 'endpoints',
    path: endpointsPath,
    queries: [...names].map((name) => ({ of: name, query: { fieldSelector: `metadata.name=${name}` } })),
    pageSize: page,
    limit: mostEndpoints,
    read: (object) => ofThese(names, readEndpoints(object)),
  };
}

/** A server may send what was not asked for. */
function ofThese(names: ReadonlySet<string>, reading: SliceReading | undefined): SliceReading | undefined {
  return reading !== undefined && names.has(reading.service) ? reading : undefined;
}
