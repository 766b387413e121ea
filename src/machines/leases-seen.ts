import type { SeenLease } from '../domain/prober/node-lease.ts';
import type { OddLeases } from '../domain/prober/odd-leases.ts';
import type { NodePlace } from '../domain/prober/partial-outage.ts';
import type { Untold } from '../domain/prober/candidates.ts';
import type { NodesLooked } from '../domain/prober/verdict.ts';
import type { Instant, Millis } from '../domain/time.ts';
import type { LeaseCount } from './shoot-language.ts';

/** What the leases of a shoot showed, and the last look at its nodes. */
export type LeasesSeen = Readonly<{
  askedAt: Instant;
  /** So much longer than its version the server takes for its leases, by this answer and those before. */
  waited: Millis;
  leases: readonly SeenLease[];
  /** By how much the server's clock is ahead of ours, as the answer's date tells; 0 within what is tolerated. */
  clockAhead: Millis;
  /** How often our own clock had been set. */
  clockSet: number;
  /** Nodes whose leases the last look found to tell nothing (SPEC 5.2). */
  nonCandidates: readonly string[];
  /** When the leases of the last look were asked for; null before the first one, and where there are leases that it does not cover. */
  lookedAt: Instant | null;
  /** Where the candidates of the last look are; empty while no lease is expired (SPEC 5.6). */
  places: readonly NodePlace[];
  /** What the last look found of nodes; null before the first one. */
  looked: (NodesLooked & Readonly<{ untold: readonly Untold[] }>) | null;
  /** When it is looked for nodes even in calm (SPEC 5.8). */
  calmLookAt: Instant;
  /** Since when nobody can tell; null where the last verdict could (SPEC 5.8, 5.9). */
  unjudgedSince: Instant | null;
  /** What the last verdict counted; null before the first one. */
  counted: LeaseCount | null;
  /** Leases could not be judged before (SPEC 5.1); null where there was never a doubt. */
  doubtedUntil: Instant | null;
  /** Leases that are ahead of the time (SPEC 5.1). */
  ahead: OddLeases;
  /** How many of the oldest leases were not told, since there are too many (SPEC 4.7). */
  leftOut: number;
  /** Since when no verdict was `cutOff`, and nothing was scaled down; null where that does not hold (SPEC 5.5). */
  calmSince: Instant | null;
  /** Since when no verdict was `cutOff`, without a silence of the API server in between; null where the last one was (SPEC 5.6). */
  connectedSince: Instant | null;
}>;
