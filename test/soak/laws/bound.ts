import type { SimulatedProcess } from '../simulated-process.ts';
import type { Slot } from '../slot.ts';
import type { BoundsAccount } from './bounds-account.ts';

/** A living process as it is at one instant. */
export type ProcessSeen = Readonly<{
  now: number;
  role: Slot['role'];
  process: Pick<SimulatedProcess, 'sleeping' | 'open' | 'pools'>;
  account: BoundsAccount;
  /** Streams of the seed that it follows, and those of them that have begun. */
  streams: number;
  begun: number;
  isElecting: boolean;
  /** The prober's dependants. */
  dependants: number;
  /** Calm has lasted for as long as all may take to be as before. */
  isSettled: boolean;
}>;

type Figure = Readonly<{ is: number; most: number }>;

/** What a process may have at most of something that waits, or is kept. */
export type Bound = Readonly<{
  /** Completes "it has 7 of …, and 5 at most". */
  of: string;
  figures(seen: ProcessSeen): Iterable<Figure>;
}>;
