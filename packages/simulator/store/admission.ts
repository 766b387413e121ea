import { textAt, valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { invalidField, badRequest, ApiRefusal } from './api-refusal.ts';
import { type JsonObject, asObject, isObject } from './kube-object.ts';
import { apiVersionOf, type ResourceKind } from './resource-kind.ts';

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

/** How an object came: a real server answers a patch that does not decode otherwise than such a body. */
export type CameBy = 'body' | 'patch';

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Refuses what the types of a real server would not accept: labels and annotations that are no text, a MicroTime without
 * exactly six digits, replicas that are no count. Everything else in an object is accepted.
 */
export function refuseMalformed(kind: ResourceKind, object: JsonObject, cameBy: CameBy): void {
  for (const field of ['labels', 'annotations']) {
    const map = valueAt(object, 'metadata', field) ?? {};
    const isText = isObject(map) && Object.values(map).every((value) => typeof value === 'string');
    if (!isText)
      throw undecodable(
        kind,
        `json: cannot unmarshal into Go struct field ObjectMeta.metadata.${field} of type string`,
        cameBy,
      );
  }
  for (const field of kind.microTimes ?? []) {
    const time = valueAt(object, ...field.split('.')) ?? null;
    if (time === null || (typeof time === 'string' && microTime.test(time))) continue;
    const problem = `parsing time ${JSON.stringify(JSON.stringify(time))} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${field}`;
    throw undecodable(kind, problem, cameBy);
  }
  if (kind.scale === undefined) return;
  const replicas = valueAt(object, ...kind.scale.specReplicas) ?? 0;
  if (!Number.isInteger(replicas))
    throw undecodable(kind, `json: cannot unmarshal into Go struct field of type int32`, cameBy);
  if (Number(replicas) >= 0) return;
  const name = String(valueAt(object, 'metadata', 'name'));
  throw invalidField(
    kind,
    name,
    kind.scale.specReplicas.join('.'),
    `Invalid value: ${Number(replicas)}: must be greater than or equal to 0`,
  );
}

function undecodable(kind: ResourceKind, problem: string, cameBy: CameBy): ApiRefusal {
  if (cameBy === 'body') {
    return badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`);
  }
  const message = `Invalid value: ${JSON.stringify(apiVersionOf(kind))}: ${problem}`;
  return new ApiRefusal({
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}
