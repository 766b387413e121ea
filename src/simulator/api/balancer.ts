import type { PathFault } from './path-fault.ts';

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
