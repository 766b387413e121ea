import type { JsonObject } from './kube-object.ts';
import { groupKindOf, groupResourceOf, type ResourceKind } from './resource-kind.ts';

type Refused = Readonly<{
  code: number;
  /** Empty where even Kubernetes gives none. */
  reason: string;
  message: string;
  details?: JsonObject;
  /** A Status has the metadata of a list: an expired page says there how to continue. */
  continue?: string;
}>;

/** The API server says no, with a Status object as Kubernetes words it. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly code: number;
  readonly reason: string;
  /** The Status object, ready to be sent. */
  readonly status: JsonObject;

  constructor(refused: Refused) {
    super(refused.message);
    this.code = refused.code;
    this.reason = refused.reason;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: refused.continue === undefined ? {} : { continue: refused.continue },
      status: 'Failure',
      message: refused.message,
      ...(refused.reason === '' ? {} : { reason: refused.reason }),
      ...(refused.details === undefined ? {} : { details: refused.details }),
      code: refused.code,
    };
  }
}

export function badRequest(message: string): ApiRefusal {
  return new ApiRefusal({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): ApiRefusal {
  return new ApiRefusal({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function notFound(kind: ResourceKind, name: string): ApiRefusal {
  const message = `${groupResourceOf(kind)} "${name}" not found`;
  return new ApiRefusal({ code: 404, reason: 'NotFound', message, details: detailsOf(kind, name) });
}

/** The group is served, but not this resource of it. */
export function resourceNotFound(): ApiRefusal {
  return bare(404, 'NotFound', 'the server could not find the requested resource');
}

export function methodNotAllowed(): ApiRefusal {
  return bare(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
}

export function alreadyExists(kind: ResourceKind, name: string): ApiRefusal {
  const message = `${groupResourceOf(kind)} "${name}" already exists`;
  return new ApiRefusal({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(kind, name) });
}

export function conflict(
  kind: ResourceKind,
  name: string,
  because = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiRefusal {
  const message = `Operation cannot be fulfilled on ${groupResourceOf(kind)} "${name}": ${because}`;
  return new ApiRefusal({ code: 409, reason: 'Conflict', message, details: detailsOf(kind, name) });
}

export function expired(message: string, goOn?: string): ApiRefusal {
  return new ApiRefusal({ code: 410, reason: 'Expired', message, ...(goOn === undefined ? {} : { continue: goOn }) });
}

export function unsupportedMediaType(): ApiRefusal {
  return bare(415, 'UnsupportedMediaType', '415: Unsupported Media Type');
}

/** A patch that does not fit the object. */
export function patchUnfit(): ApiRefusal {
  return bare(422, 'Invalid', 'the server rejected our request due to an error in our request');
}

/** One field of an object is wrong. `problem` begins with its kind: `Invalid value: -1: must be …`. */
export function invalidField(
  kind: Readonly<{ group: string; kind: string }>,
  name: string,
  field: string,
  problem: string,
): ApiRefusal {
  const message = `${groupKindOf(kind)} "${name}" is invalid: ${field}: ${problem}`;
  const [what = ''] = problem.split(':');
  const reason = `FieldValue${what.replace(/ value$/, '')}`;
  const causes = [{ reason, message: problem, field }];
  const details = { ...detailsOf({ ...kind, plural: kind.kind }, name), causes };
  return new ApiRefusal({ code: 422, reason: 'Invalid', message, details });
}

/** Has empty details, because Kubernetes sends them too. */
function bare(code: number, reason: string, message: string): ApiRefusal {
  return new ApiRefusal({ code, reason, message, details: {} });
}

/** What a Status says of the object that it is about. */
export function detailsOf({ group, plural }: Pick<ResourceKind, 'group' | 'plural'>, name: string): JsonObject {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural };
}

/** A request that we did not foresee must not end the process in which the watchdog is tried. */
export function internalError(error: unknown): ApiRefusal {
  const message = `Internal error occurred: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return new ApiRefusal({ code: 500, reason: 'InternalError', message });
}
