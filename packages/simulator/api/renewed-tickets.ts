import { randomBytes } from 'node:crypto';
import type { Server } from 'node:https';

/** What Node asks for each ticket: its name, and whether it is a new one. The answer begins with 1, or with 2 where another one shall replace it. */
type TicketContext = {
  onticketkeycallback?: (name: Buffer, iv: Buffer, isNew: boolean) => readonly [number, ...Buffer[]];
  enableTicketKeyCallback?: () => void;
};

/**
 * Makes a server give a new TLS ticket in each handshake, as the API servers of Go do. Node's give two in a full handshake, and none in one
 * that resumes; only a part of Node that is not documented changes that. Where it is missing, every second probe has a full handshake.
 */
export function renewTickets(server: Server): void {
  const context = (server as unknown as { _sharedCreds?: { context?: TicketContext } })._sharedCreds?.context;
  if (context?.enableTicketKeyCallback === undefined) return;
  const [name, hmacKey, aesKey] = [randomBytes(16), randomBytes(16), randomBytes(16)];
  context.onticketkeycallback = (given, _iv, isNew) => {
    if (isNew) return [1, hmacKey, aesKey, name, randomBytes(16)];
    return given.equals(name) ? [2, hmacKey, aesKey] : [0, hmacKey, aesKey];
  };
  context.enableTicketKeyCallback();
}
