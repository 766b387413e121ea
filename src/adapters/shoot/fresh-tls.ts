import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Millis } from '../../domain/time.ts';
import type { ShootAccess } from './shoot-access.ts';

export type FreshTlsOptions = Readonly<{
  access: ShootAccess;
  /** After which the next of several addresses is tried; the last one has no such limit. */
  attemptTimeout: Millis;
  lookup: LookupFunction;
}>;

/** Begins a TLS connection with a whole handshake; nobody is spoken to whose certificate does not verify. */
export function freshTls({ access, attemptTimeout, lookup }: FreshTlsOptions): TLSSocket {
  const { server, serverName } = access.credentials;
  const verified = serverName ?? server.host;
  // Node hands on to the socket what its types leave out.
  const options: ConnectionOptions & Partial<TcpNetConnectOpts> & Readonly<{ highWaterMark: number }> = {
    host: server.host,
    port: server.port,
    secureContext: access.secureContext,
    // Said aloud, since an environment variable could turn the default off.
    rejectUnauthorized: true,
    checkServerIdentity: (_host, certificate) => checkServerIdentity(verified, certificate),
    // An address is no server name (RFC 6066).
    servername: isIP(verified) === 0 ? verified : '',
    ALPNProtocols: ['http/1.1'],
    // Of several addresses one may be dead, so they are tried in turn. Node's half second for each would give up on a
    // slow one, and one lost packet alone costs a second; then a dead address of the other family looks like an outage.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeout,
    lookup,
    // Who waits for its turn is not read from either. Node else goes on until 64 KB are there, which are 65,536 records
    // where each has one byte.
    highWaterMark: 1,
  };
  return connect(options);
}

type Found = Parameters<LookupFunction>[2];

/**
 * Looks a name up once for all who ask while the answer is still out; nothing is kept beyond it. The system's resolver
 * cannot be called off: without this, each probe of an outage of DNS would leave one more look-up in the queue of its few
 * threads, until no shoot's name is resolved for long after DNS is back.
 */
export function joinedLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  const waiting = new Map<string, Found[]>();
  return (name, options, found) => {
    const key = `${name} ${JSON.stringify(options)}`;
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(found);
      return;
    }
    const asking = [found];
    waiting.set(key, asking);
    lookup(name, options, (...answer) => {
      waiting.delete(key);
      for (const each of asking) each(...answer);
    });
  };
}
