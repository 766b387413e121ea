import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { ApiRefusal, badRequest, detailsOf } from '../store/api-refusal.ts';
import type { ApiRequest, Verb } from './api-request.ts';
import { groupResourceOf } from '../store/resource-kind.ts';
import { asObject, isObject, type JsonObject } from '../store/kube-object.ts';
import { textAt } from 'dependency-watchdog/domain/value-at.ts';

/**
 * The user who asks: known by a bearer token, else by a client certificate of the server's own authority, whose common
 * name is the user. Undefined for everyone else.
 */
export function knownUserOf(request: IncomingMessage, tokens: ReadonlyMap<string, string>): string | undefined {
  const { authorization } = request.headers;
  return bearerToken(authorization) === undefined ? certifiedUserOf(request) : bearerOf(authorization, tokens);
}

/** The user of the token that the header `Authorization` bears. */
export function bearerOf(authorization: string | undefined, tokens: ReadonlyMap<string, string>): string | undefined {
  return tokens.get(bearerToken(authorization) ?? '');
}

function bearerToken(authorization = ''): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}

function certifiedUserOf({ socket }: IncomingMessage): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { CN } = socket.getPeerCertificate().subject;
  return typeof CN === 'string' ? CN : CN?.[0];
}

/** What is to be permitted. `resource` carries its subresource: `deployments/scale`. */
export type AccessAsked = Readonly<{
  user: string;
  verb: Verb;
  group: string;
  /** The path, where it is no resource. */
  resource: string;
  namespace: string;
  name: string;
}>;

/** Whether a user may; what RBAC does for a real server. */
export type Authorize = (asked: AccessAsked) => boolean;

export function accessAsked(user: string, { verb, kind, namespace, name, subresource, path }: ApiRequest): AccessAsked {
  const resource = kind === undefined ? path : [kind.plural, subresource].filter((part) => part !== '').join('/');
  return { user, verb, group: kind?.group ?? '', resource, namespace, name };
}

/** Throws 403 in Kubernetes' words where the user may not. */
export function refuseForbidden(authorize: Authorize, access: AccessAsked, { kind, path }: ApiRequest): void {
  if (authorize(access)) return;
  const { user, verb, resource, namespace, name } = access;
  if (kind === undefined) {
    throw forbidden(`forbidden: User "${user}" cannot ${verb} path "${path}"`, {});
  }
  const what = groupResourceOf(kind);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const named = name === '' ? '' : `"${name}" `;
  const message = `${what} ${named}is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${kind.group}" ${where}`;
  throw forbidden(message, detailsOf(kind, name));
}

function forbidden(message: string, details: JsonObject): ApiRefusal {
  return new ApiRefusal({ code: 403, reason: 'Forbidden', message, details });
}

/** A user asks what it may do itself, as `kubectl auth can-i` does. Every authenticated user may ask. */
export function isAccessReview({ verb, path }: ApiRequest): boolean {
  return verb === 'create' && path === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
}

/** The answer to a SelfSubjectAccessReview of one resource, as JSON. Throws ApiRefusal. */
export function reviewAccess(authorize: Authorize, user: string, content: unknown): string {
  if (!isObject(content) || !isObject(asObject(content['spec'])['resourceAttributes']))
    throw badRequest('expected a SelfSubjectAccessReview with resourceAttributes');
  const asked = (key: string) => textAt(content, 'spec', 'resourceAttributes', key);
  const [resource, subresource] = [asked('resource'), asked('subresource')];
  const allowed = authorize({
    user,
    verb: asked('verb') as Verb,
    group: asked('group'),
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace: asked('namespace'),
    name: asked('name'),
  });
  return JSON.stringify({ ...content, metadata: {}, status: { allowed } });
}
