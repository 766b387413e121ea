import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, TLSSocket } from 'node:tls';

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
export function serverIdentity(socket: TLSSocket, verified: string): Error | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate !== undefined && bears(certificate, verified)) return undefined;
  // Of the class, since this socket's own is set aside (`fresh-tls.ts`).
  return checkServerIdentity(verified, TLSSocket.prototype.getPeerCertificate.call(socket, true));
}

function bears(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return plainAddress.test(name) && certificate.checkIP(name) !== undefined;
  return plainName.test(name) && certificate.checkHost(name, literally) !== undefined;
}
