import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import {
  connect,
  type ConnectionOptions,
  type DetailedPeerCertificate,
  TLSSocket,
  checkServerIdentity,
} from 'node:tls';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootAccess } from './shoot-access.ts';
import { longestUnchecked, type TlsTicket } from './tls-tickets.ts';
import type { X509Certificate } from 'node:crypto';

export type FreshTlsOptions = Readonly<{
  access: ShootAccess;
  /** After this time the next of several addresses is tried. The last one has no such limit. */
  attemptTimeout: Millis;
  lookup: LookupFunction;
  now: () => Instant;
}>;

/** `ticket`: the newest that its server gave, where the next probe may resume by it. `serverIsNew`: asked once, when it has answered. */
export type FreshTls = Readonly<{
  socket: TLSSocket;
  ticket: () => TlsTicket | undefined;
  serverIsNew: () => boolean;
}>;

/** What stands for the certificate where nobody looks at it. */
const unread = Object.freeze({}) as DetailedPeerCertificate;

/**
 * Begins a TLS connection. Nothing is sent to a server whose certificate does not verify. It resumes the session of the last probe where its
 * server gave a ticket (SPEC 4.3): it can be read only by the server that then showed the verified certificate. With any other, or where it
 * has forgotten its keys, the handshake is a full one.
 */
export function freshTls({ access, attemptTimeout, lookup, now }: FreshTlsOptions): FreshTls {
  const { server, serverName } = access.credentials;
  const verified = serverName ?? server.host;
  const resumed = access.tickets.take(now());
  // Of the last check of a certificate: Node calls `checkServerIdentity` in full handshakes only, and there always.
  let until = resumed?.until ?? -Infinity;
  let isFull = false;
  let newest: Buffer | undefined;
  // Node passes these options on to the socket, though its types leave them out.
  const options: ConnectionOptions & Partial<TcpNetConnectOpts> & Readonly<{ highWaterMark: number }> = {
    host: server.host,
    port: server.port,
    secureContext: access.secureContext,
    // Set explicitly, since an environment variable could turn the default off.
    rejectUnauthorized: true,
    session: resumed?.session,
    checkServerIdentity: () => {
      isFull = true;
      const certificate = socket.getPeerX509Certificate();
      until = checkedUntil(certificate, now());
      return serverIdentity(socket, certificate, verified);
    },
    // An address is no server name (RFC 6066).
    servername: isIP(verified) === 0 ? verified : '',
    ALPNProtocols: ['http/1.1'],
    // One of several addresses may be dead, so they are tried in turn. Node's half second for each is too short for a
    // slow one: one lost packet alone costs a second. Then a dead address of the other family would look like an outage.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeout,
    lookup,
    // While a shoot waits for its turn, nothing is read from its socket. Otherwise Node reads on until 64 KB are there, which can be
    // 65,536 records of one byte each.
    highWaterMark: 1,
  };
  const socket = connect(options);
  // Before it calls `checkServerIdentity`, Node makes objects of the whole chain of certificates: a seventh of a probe's cost.
  socket.getPeerCertificate = () => unread;
  // The one of TLS 1.2 would resume without fresh keys. Who got hold of it could read what came before.
  socket.on('session', (session) => {
    if (socket.getProtocol() === 'TLSv1.3') newest = session;
  });
  return {
    socket,
    ticket: () => (newest === undefined ? undefined : { session: newest, until }),
    serverIsNew: () => resumed !== undefined && access.tickets.isRefusedAnew(!isFull),
  };
}

/** No longer than the certificate is valid, and so that a trust that has changed is seen. */
function checkedUntil(certificate: X509Certificate | undefined, now: Instant): Instant {
  return Math.min(certificate?.validToDate.getTime() ?? now, now + longestUnchecked);
}

/** OpenSSL is asked about such names only: it takes one that begins with a dot for all names below it, and throws at a null. */
const plainName = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;
const plainAddress = /^[\da-f.:]+$/i;

/** The name must stand in the certificate as it is. Neither a wildcard nor the subject counts. */
const literally = { subject: 'never', wildcards: false, partialWildcards: false } as const;

/**
 * Returns why the certificate of a verified chain is not one for `verified`, a name or an address; undefined where it is (SPEC 4.2). The
 * usual certificate has the very name among its alternative names, and OpenSSL sees that in a few microseconds. Every other one is judged by Node's
 * own rules, for which its whole chain must be made into objects. So nothing passes that Node would refuse.
 */
function serverIdentity(
  socket: TLSSocket,
  certificate: X509Certificate | undefined,
  verified: string,
): Error | undefined {
  if (certificate !== undefined && bears(certificate, verified)) return undefined;
  // Of the class, since this socket's own is set aside above.
  return checkServerIdentity(verified, TLSSocket.prototype.getPeerCertificate.call(socket, true));
}

function bears(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return plainAddress.test(name) && certificate.checkIP(name) !== undefined;
  return plainName.test(name) && certificate.checkHost(name, literally) !== undefined;
}
