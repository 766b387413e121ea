import type { Balancer } from '../api/balancer.ts';
import type { PathFault } from '../api/path-fault.ts';
import type { Fate } from './fate.ts';

/**
 * A load balancer in memory: an address of its own, and a fault that befalls each request which is sent while it lasts. What was sent
 * before goes on, since it takes no more than milliseconds here.
 */
export class MemoryBalancer implements Balancer {
  readonly url: string;
  #fault: PathFault | undefined;
  #connectionCount = 0;

  constructor(url: string) {
    this.url = url;
  }

  get fault(): PathFault | undefined {
    return this.#fault;
  }

  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** What becomes of a request that is sent through it now, whose fate is else this. */
  through(fate: Fate): Fate {
    this.#connectionCount += 1;
    const fault = this.#fault;
    if (fault === undefined) return fate;
    const by = `path ${fault.kind}` as const;
    switch (fault.kind) {
      case 'refuse':
        return { ...fate, end: { kind: 'refused' }, by };
      case 'cut':
      case 'reset':
        return { ...fate, end: { kind: 'lost', reset: true }, by };
      case 'hang':
        return { ...fate, end: { kind: 'lost', reset: false }, by };
      case 'slow': {
        const { there, back } = fate;
        return { ...fate, there: there + fault.delay, back: back + fault.delay, isSlow: true, by };
      }
      default:
        return fault satisfies never;
    }
  }

  async up(): Promise<void> {
    // Nothing listens, so nothing has to begin.
  }

  async setFault(fault: PathFault): Promise<void> {
    this.#fault = fault;
  }

  async heal(): Promise<void> {
    this.#fault = undefined;
  }

  async stop(): Promise<void> {
    this.#fault = { kind: 'refuse' };
  }
}
