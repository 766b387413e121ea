import { X509Certificate } from 'node:crypto';
import { numberAt } from '../../domain/value-at.ts';
import type { Instant } from '../../domain/time.ts';
import { instantText } from '../words/plain-words.ts';
import type { Credentials } from './credentials.ts';

/**
 * Says why a server may have answered 401 to these credentials, and what to look at. `origin`: where they come from, `the kubeconfig
 * /x/y`. Of the credentials only dates are told.
 */
export function refusalWords({ headers, tls }: Credentials, origin: string, now: Instant): string {
  const token = /^Bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1];
  if (token !== undefined) return `the token ${expired(tokenEnd(token), now) ?? 'is not accepted'}, look at ${origin}`;
  if (headers['authorization'] !== undefined) return `the user and the password are not accepted, look at ${origin}`;
  if (tls.cert !== undefined)
    return `the client certificate ${expired(certificateEnd(tls.cert), now) ?? 'is not accepted'}, look at ${origin}`;
  return `there is no token and no client certificate in ${origin}`;
}

function expired(until: Instant | undefined, now: Instant): string | undefined {
  return until === undefined || until > now ? undefined : `expired on ${instantText(until)}`;
}

/** Undefined for a token that is no JWT, or has no end. */
function tokenEnd(token: string): Instant | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const seconds = numberAt(claims, 'exp');
    return seconds === undefined ? undefined : seconds * 1_000;
  } catch {
    // It is no JWT. A server may use any tokens.
    return undefined;
  }
}

function certificateEnd(pem: string): Instant | undefined {
  try {
    return new X509Certificate(pem).validToDate.getTime();
  } catch {
    // What is no certificate was refused before, by TLS.
    return undefined;
  }
}
