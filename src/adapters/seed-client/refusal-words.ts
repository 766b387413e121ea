import { X509Certificate } from 'node:crypto';
import { numberAt } from '../../domain/value-at.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import { instantText } from '../words/plain-words.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import type { Clock } from '../../effects/ports.ts';
import { certificateFaultWords } from '../words/errno-words.ts';
import { operatorLine } from '../words/secrets.ts';

/**
 * Says why a server may have answered 401 to these credentials, and what to look at. `origin`: where they come from, `the kubeconfig
 * /x/y`. Of the credentials only dates are told.
 */
export function refusalWords({ headers, tls }: Credentials, origin: string, now: Instant): string {
  const token = /^Bearer (.*)$/.exec(String(headers['authorization'] ?? ''))?.[1];
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

const lookAtMost: Millis = 5_000;

/** `credentials`: where they come from, `the kubeconfig /x/y`. */
type Asked = Readonly<{ code: string; credentials: Credentials; origin: string; clock: Clock }>;

/**
 * Says what is wrong with the certificate that the server shows, and what to look at. The error of TLS does not name the dates and
 * the authority. So the server is connected once more; nothing is sent over that connection, and nothing that is read is relied on.
 */
export async function certificateWords({ code, credentials, origin, clock }: Asked): Promise<string> {
  const shown = await shownBy(credentials, clock);
  if (code === 'CERT_HAS_EXPIRED') return expiredWords(shown, clock.now());
  if (code === 'CERT_NOT_YET_VALID') return `the server's certificate is not valid${after(shown)}: compare the clocks`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return `the server's certificate is not for ${nameOf(credentials)}${names(shown)}: look at server and tls-server-name in ${origin}`;
  const fault = certificateFaultWords(code);
  if (fault === 'it is from an unknown authority') {
    const trusted = credentials.tls.ca === undefined ? `${origin} names no authority` : `not the one in ${origin}`;
    return `the server's certificate is from an unknown authority${issuer(shown)}, ${trusted}`;
  }
  return `the server's certificate does not verify (${fault})`;
}

function expiredWords(shown: PeerCertificate | undefined, now: Instant): string {
  const until = Date.parse(shown?.valid_to ?? '');
  if (until > now) return "an authority of the server's certificate has expired: renew it";
  return `the server's certificate expired${Number.isNaN(until) ? '' : ` on ${instantText(until)}`}: renew it`;
}

function after(shown: PeerCertificate | undefined): string {
  const from = Date.parse(shown?.valid_from ?? '');
  return Number.isNaN(from) ? ' yet' : ` before ${instantText(from)}`;
}

function names(shown: PeerCertificate | undefined): string {
  const all = (shown?.subjectaltname ?? '').replaceAll(/(DNS|IP Address):/g, '');
  return all === '' ? '' : `, but for ${operatorLine(all)}`;
}

function issuer(shown: PeerCertificate | undefined): string {
  const { CN, O } = shown?.issuer ?? {};
  const name = [CN ?? O ?? ''].flat().join(', ');
  return name === '' ? '' : ` ("${operatorLine(name)}")`;
}

function nameOf({ server, tls }: Credentials): string {
  return tls.servername ?? new URL(server).hostname;
}

/** Undefined where the server does not answer any more. */
function shownBy({ server, tls }: Credentials, clock: Clock): Promise<PeerCertificate | undefined> {
  const { hostname, port } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = tls.servername ?? (isIP(host) === 0 ? host : undefined);
  // Only to look at what it shows: the connection is closed before a byte of ours goes over it.
  const socket = connect({
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(servername && { servername }),
  });
  const { promise, resolve } = Promise.withResolvers<PeerCertificate | undefined>();
  socket.once('secureConnect', () => resolve(socket.getPeerCertificate()));
  socket.once('error', () => resolve(undefined));
  const tooLong = clock.wakeAt(clock.now() + lookAtMost).subscribe(() => resolve(undefined));
  return promise.finally(() => {
    tooLong.unsubscribe();
    socket.destroy();
  });
}
