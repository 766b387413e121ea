import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** Something between clients and an API server that may fail by itself. Needs `up` before it takes anything. */
export interface Balancer {
  readonly url: string;
  /** What it does at present in place of its work. */
  readonly fault: PathFault | undefined;
  /** Connections, or requests where there are none, that were accepted so far. */
  readonly connectionCount: number;
  up(): Promise<void>;
  /** Fails so from now on, in place of what it did before. */
  setFault(fault: PathFault): Promise<void>;
  heal(): Promise<void>;
  stop(): Promise<void>;
}

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
