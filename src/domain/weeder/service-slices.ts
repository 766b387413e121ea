import { isBeingDeleted, isTree, listAt, textAt, valueAt } from '../value-at.ts';
import type { Instant, Millis } from '../time.ts';

/** Of how many endpoints of an EndpointSlice how many are ready; one that says nothing of it is (SPEC 7.1). */
export type SliceView = Readonly<{
  ready: number;
  endpoints: number;
  /** Of the addresses and Pods of the ready ones, whatever their order; absent where none is ready. */
  readyHash?: number;
}>;

/** Every EndpointSlice of one service, by its name; or the one Endpoints object that says the same (SPEC 7.6). */
export type Slices = Readonly<Record<string, SliceView>>;

/** Any ready endpoint in any slice will do (SPEC 7.1). */
export function isAvailable(slices: Slices): boolean {
  return Object.values(slices).some(({ ready }) => ready > 0);
}

/** All slices of a service as if they were one. */
export function joined(slices: Slices): Required<SliceView> {
  const all = Object.values(slices);
  return {
    ready: all.reduce((sum, one) => sum + one.ready, 0),
    endpoints: all.reduce((sum, one) => sum + one.endpoints, 0),
    readyHash: all.reduce((sum, one) => sum + (one.readyHash ?? 0), 0),
  };
}

/** An EndpointSlice as far as it matters: whose it is, and what it says of that service. */
export type SliceReading = Readonly<{ service: string; view: SliceView }>;

const serviceLabel = 'kubernetes.io/service-name';

/** Of a label's value, and so of a service's name. */
const longestService = 63;

/**
 * Keeps what tells whether a service is available (SPEC 7.1) of a `discovery.k8s.io/v1` EndpointSlice. Any value may come in.
 * Undefined where it belongs to no service, or is being deleted: a finalizer may hold it for ever, and nobody keeps its endpoints right.
 */
export function readSlice(object: unknown): SliceReading | undefined {
  const service = textAt(object, 'metadata', 'labels', serviceLabel);
  if (isBeingDeleted(object) || service === '' || service.length > longestService) return undefined;
  const endpoints = listAt(object, 'endpoints').filter(isTree);
  const ready = endpoints.filter(isReady);
  const counts = { ready: ready.length, endpoints: endpoints.length };
  if (ready.length === 0) return { service, view: counts };
  return { service, view: { ...counts, readyHash: ready.reduce((sum, one) => sum + hashOf(placeOf(one)), 0) } };
}

/**
 * The same of a `v1` Endpoints object, which bears its service's name and says what one slice would (SPEC 7.6). An address that stands in
 * several subsets, one for each port, is one endpoint; it is ready if any of them says so.
 */
export function readEndpoints(object: unknown): SliceReading | undefined {
  const service = textAt(object, 'metadata', 'name');
  if (isBeingDeleted(object) || service === '' || service.length > longestService) return undefined;
  const subsets = listAt(object, 'subsets');
  const ready = placesIn(subsets, 'addresses');
  const all = ready.union(placesIn(subsets, 'notReadyAddresses'));
  const counts = { ready: ready.size, endpoints: all.size };
  if (ready.size === 0) return { service, view: counts };
  return { service, view: { ...counts, readyHash: [...ready].reduce((sum, place) => sum + hashOf(place), 0) } };
}

function placesIn(subsets: readonly unknown[], field: 'addresses' | 'notReadyAddresses'): ReadonlySet<string> {
  const addresses = subsets.flatMap((subset) => listAt(subset, field)).filter(isTree);
  return new Set(addresses.map((address) => placeText(textAt(address, 'ip'), address)));
}

/** Kubernetes takes an unknown readiness for true. Any other value opens no window. With `publishNotReadyAddresses` all are ready, and `serving` alone tells. */
function isReady(endpoint: unknown): boolean {
  const told = (condition: string): unknown => valueAt(endpoint, 'conditions', condition) ?? true;
  return told('ready') === true && told('serving') === true;
}

/** Where the endpoint is reached, and which incarnation of a Pod stands behind it. */
function placeOf(endpoint: unknown): string {
  return placeText(textAt(listAt(endpoint, 'addresses'), '0'), endpoint);
}

/** The same for both kinds, so that a change from one to the other looks like no change. */
function placeText(address: string, endpoint: unknown): string {
  return `${address} ${textAt(endpoint, 'targetRef', 'uid')}`;
}

/** FNV-1a, 32 bits: the texts themselves would be 60 KB for a thousand endpoints, in each turn of the journal. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/**
 * The slices were listed anew, so what happened to them since the stream last spoke was not seen. It is told only of services of which a
 * slice was written meanwhile, or where the history of the seed went back. Each change of a slice is a write: where all slices still
 * have their versions, the service never went.
 */
export type SliceGap = Readonly<{
  since: Instant;
  /** The former versions prove nothing. */
  rewound?: true;
}>;

/** A service may go down and come back within this time unseen, if the same endpoints are ready afterwards. No crash-looping pod waits for long by then. */
const shortGap: Millis = 10_000;

/**
 * Whether an available service may have been down within a gap (SPEC 7.2). If it was and nobody notices, its dependants wait for up to
 * five minutes; if it was not, its window costs a list.
 */
export function mayHaveFailed(before: Slices, now: Slices, gap: SliceGap | undefined, at: Instant): boolean {
  if (gap === undefined || !isAvailable(now)) return false;
  if (gap.rewound === true || at - gap.since > shortGap) return true;
  return joined(before).readyHash !== joined(now).readyHash;
}
