import { textAt, valueAt } from '../../domain/value-at.ts';
import { invalidField, badRequest } from './api-refusal.ts';
import { type JsonObject, asObject, isObject } from './kube-object.ts';

/** What a server makes of a pod: a new one has no status but the first. */
export function admitPod(draft: JsonObject, before: JsonObject | undefined): JsonObject {
  const containers = valueAt(draft, 'spec', 'containers');
  if (!Array.isArray(containers) || containers.length === 0) {
    const name = textAt(draft, 'metadata', 'name');
    throw invalidField({ group: '', kind: 'Pod' }, name, 'spec.containers', 'Required value');
  }
  return before === undefined ? { ...draft, status: { phase: 'Pending', qosClass: 'BestEffort' } } : draft;
}

const kind = { group: 'discovery.k8s.io', kind: 'EndpointSlice' } as const;

const addressTypes: readonly unknown[] = ['FQDN', 'IPv4', 'IPv6'];

/** What a server makes of an EndpointSlice: empty lists become nulls, and conditions are there though they say nothing. */
export function admitEndpointSlice(draft: JsonObject, before: JsonObject | undefined): JsonObject {
  const { addressType } = draft;
  const name = textAt(draft, 'metadata', 'name');
  if (typeof addressType !== 'string' || addressType === '')
    throw invalidField(kind, name, 'addressType', 'Required value');
  if (before !== undefined && before['addressType'] !== addressType)
    throw invalidField(kind, name, 'addressType', `Invalid value: ${JSON.stringify(addressType)}: field is immutable`);
  if (!addressTypes.includes(addressType)) {
    const problem = `Unsupported value: ${JSON.stringify(addressType)}: supported values: "FQDN", "IPv4", "IPv6"`;
    throw invalidField(kind, name, 'addressType', problem);
  }
  const endpoints = itemsOf(draft['endpoints']).map((endpoint, index) => endpointOf(endpoint, index, name));
  const ports = itemsOf(draft['ports']).map((port) => ({ name: '', protocol: 'TCP', ...port }));
  return { ...draft, endpoints: orNull(endpoints), ports: orNull(ports) };
}

function endpointOf(endpoint: JsonObject, index: number, name: string): JsonObject {
  const { addresses } = endpoint;
  if (!Array.isArray(addresses) || addresses.length === 0) {
    const problem = 'Required value: must contain at least 1 address';
    throw invalidField(kind, name, `endpoints[${index}].addresses`, problem);
  }
  const sent = Object.entries(asObject(endpoint['conditions'])).filter(([, value]) => value !== null);
  for (const [condition, value] of sent) if (typeof value !== 'boolean') throw noBoolean(condition, value);
  return { ...endpoint, conditions: Object.fromEntries(sent) };
}

/** What a server makes of Endpoints: a subset has addresses, ready or not, and a list that is empty is left out. */
export function admitEndpoints({ subsets: sent, ...draft }: JsonObject): JsonObject {
  const name = textAt(draft, 'metadata', 'name');
  const subsets = itemsOf(sent).map((subset, index) => {
    const lists = ['addresses', 'notReadyAddresses'].filter((list) => itemsOf(subset[list]).length > 0);
    if (lists.length === 0) {
      const problem = 'Required value: must specify `addresses` or `notReadyAddresses`';
      throw invalidField({ group: '', kind: 'Endpoints' }, name, `subsets[${index}]`, problem);
    }
    const { addresses: _, notReadyAddresses: __, ...others } = subset;
    return { ...others, ...Object.fromEntries(lists.map((list) => [list, itemsOf(subset[list])])) };
  });
  return subsets.length === 0 ? draft : { ...draft, subsets };
}

function itemsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function orNull(list: readonly JsonObject[]): readonly JsonObject[] | null {
  return list.length === 0 ? null : list;
}

function noBoolean(condition: string, value: unknown): Error {
  const problem = `json: cannot unmarshal ${typeof value} into Go struct field EndpointConditions.endpoints.conditions.${condition} of type bool`;
  return badRequest(`EndpointSlice in version "v1" cannot be handled as a EndpointSlice: ${problem}`);
}
