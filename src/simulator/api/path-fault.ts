import type { Millis } from '../../domain/time.ts';

/** What a load balancer does in place of its work. */
export type PathFault =
  /** Its port is closed, and its open connections are reset. */
  | Readonly<{ kind: 'refuse' }>
  /** It resets its open connections, and each new one as soon as it has accepted it. */
  | Readonly<{ kind: 'cut' }>
  /** Half open: it accepts, and forwards nothing, neither on its open connections. What it held goes on when it heals. */
  | Readonly<{ kind: 'hang' }>
  /** It waits so long before each chunk, both ways. */
  | Readonly<{ kind: 'slow'; delay: Millis }>
  /** It lets the TLS handshake through, and resets the connection at what the client says then; an open one at the next bytes. */
  | Readonly<{ kind: 'reset' }>;
