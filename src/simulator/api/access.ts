import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { unauthorized, ApiRefusal } from '../store/api-refusal.ts';
import type { ApiRequest, Verb } from './api-request.ts';
import { groupResourceOf } from '../store/resource-kind.ts';

/**
 * Who asks: by bearer token, else by a client certificate of the server's own authority, whose common name is the
 * user. Throws 401 for everyone else.
 */
export function userOf(request: IncomingMessage, tokens: ReadonlyMap<string, string>): string {
  const user = knownUserOf(request, tokens);
  if (user === undefined) throw unauthorized();
  return user;
}

/** The same, and undefined for everyone else. */
export function knownUserOf(request: IncomingMessage, tokens: ReadonlyMap<string, string>): string | undefined {
  const token = /^Bearer (?<token>\S+)$/i.exec(request.headers.authorization ?? '')?.groups?.['token'];
  return token === undefined ? certifiedUserOf(request) : tokens.get(token);
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

/** Throws 403 in Kubernetes' words where the user may not. */
export function refuseForbidden(authorize: Authorize, user: string, ask: ApiRequest): void {
  const { verb, kind, namespace, name, subresource } = ask;
  const resource = kind === undefined ? ask.path : [kind.plural, subresource].filter((part) => part !== '').join('/');
  if (authorize({ user, verb, group: kind?.group ?? '', resource, namespace, name })) return;
  if (kind === undefined) {
    throw forbidden(`forbidden: User "${user}" cannot ${verb} path "${ask.path}"`, {});
  }
  const what = groupResourceOf(kind);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const named = name === '' ? '' : `"${name}" `;
  const message = `${what} ${named}is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${kind.group}" ${where}`;
  throw forbidden(message, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.plural,
  });
}

function forbidden(message: string, details: Readonly<Record<string, string>>): ApiRefusal {
  return new ApiRefusal({ code: 403, reason: 'Forbidden', message, details });
}
