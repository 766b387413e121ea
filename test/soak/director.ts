import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { MemoryRequest } from '../../src/simulator/memory/memory-api-server.ts';

/** A point of a process's life at which it may be struck. */
export type Moment = Readonly<{
  process: string;
  /**
   * Before the request is sent; when it has just been sent; before the head of the answer, or the failure, is known; when the answer was
   * taken; before a piece of a watch is known.
   */
  when: 'before' | 'sent' | 'answer' | 'after' | 'event';
  /** Undefined for the seed. */
  to: ShootNamespace | undefined;
  request: MemoryRequest;
}>;

/** What becomes of a process at a point. A pause lasts so long. */
export type Blow = Readonly<{ kind: 'crash' } | { kind: 'pause'; length: Millis }>;

/** Asked at each point; undefined lets the process go on. */
export type Director = (moment: Moment) => Blow | undefined;
