import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { unauthorized } from './api-refusal.ts';

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
