import type { Bound, ProcessSeen } from './bound.ts';

/**
 * Timers that any process may have: a look at its clock each second (1.4), two roll calls and one line of a seed that is out (9.4), the
 * slowdown of scale-ups (6.12), one place in each lane and one in the election's (1.2), the next try of an output that failed (11.1).
 */
const usualTimers = 10;
/** When nothing is wrong: the look at the clock, and the roll call. */
const calmTimers = 2;
/** Until the next try, and until the lead ends; or, while it stands by, until the next try, and for its watch (8). */
const electionTimers = 2;

/** What is kept for later. Where it grows, a process that lives for months comes to its end. */
export const boundsOfMemory: readonly Bound[] = [
  {
    of: 'timers',
    *figures(seen) {
      yield { is: seen.process.sleeping, most: mostTimers(seen) };
    },
  },
];

function mostTimers({ now, process, account, streams, begun, isElecting, isSettled }: ProcessSeen): number {
  const own = (isSettled ? calmTimers : usualTimers) + (isElecting ? electionTimers : 0);
  // Of a stream that has begun, the silence; while the weather lasts, also the next question where the seed stands (6.6). One that has
  // not has its patience, and the time and the silence of its request.
  const ofStreams = begun * (isSettled ? 1 : 2) + (streams - begun) * 3;
  // A request has its whole time, and an urgent one its silence (6.11).
  const ofRequests = 2 * process.open.seed;
  // Each machine has one wake. A question has its deadline; nodes, Machines and Cluster have one each.
  const ofMachines =
    account.machines.size +
    account.underWay(['probe', 'askPath', 'readCluster']) +
    3 * account.underWay(['listCandidates']);
  return own + ofStreams + ofRequests + ofMachines + account.awaited(now);
}
