import { valueAt } from '../../domain/value-at.ts';
import { ApiRefusal, badRequest, invalidField } from './api-refusal.ts';
import { isObject, type JsonObject } from './kube-object.ts';
import { apiVersionOf, type ResourceKind } from './resource-kind.ts';

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
