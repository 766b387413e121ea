import type { Bound, ProcessSeen } from './bound.ts';

/** Of one service at a time (7.3). */
const mostDeletions = 10;
/** A probe has 30 s, a request 10 s; a scale-up may wait a minute for a seed that asks for that (6.12). */
const longestWait = 120_000;
/** A deletion also waits for as long as the stream of services is out, and at the longest until its window is over (7.2). */
const longestHold = 300_000;
/** Each client of the seed has one for requests and one for watches; the election has a client of its own (1.2). */
const poolsOfClient = 2;

/** So many of one kind may be under way, of which all but one have been overtaken. More would be a queue that grows. */
const overtaken = 4;

/** Those that a machine commands once, and then waits for the answer. */
const single = ['probe', 'listCandidates', 'readCluster'] as const;

/** What waits, or is under way. Where it grows, answers come later and later, and then memory ends. */
export const boundsOfQueues: readonly Bound[] = [
  {
    of: 'deletions of one service',
    *figures({ role, account }) {
      if (role === 'weeder')
        for (const subject of account.machines.keys())
          yield { is: account.underWay(['deletePod'], subject), most: mostDeletions };
    },
  },
  {
    of: 'questions of one machine of the same kind',
    *figures({ role, account }) {
      if (role === 'weeder') return;
      for (const subject of account.machines.keys()) {
        // Where the Cluster ruled it out for a moment, the question of before is still under way.
        for (const type of single) yield { is: account.underWay([type], subject), most: overtaken };
        // There are two paths (4.9).
        yield { is: account.underWay(['askPath'], subject), most: 2 * overtaken };
      }
    },
  },
  {
    of: 'writes and reads of the dependants of one machine',
    *figures({ role, account, dependants }) {
      if (role === 'weeder') return;
      // A dependant is written or read (6.4), while what verdicts have overtaken, one after the other, may still be under way at a slow seed.
      for (const subject of account.machines.keys())
        yield { is: account.underWay(['scale', 'read'], subject), most: overtaken * dependants };
    },
  },
  {
    of: 'milliseconds for which a command waits for its answer',
    *figures({ role, now, account }) {
      const oldest = account.oldest();
      const most = longestWait + (role === 'weeder' ? longestHold : 0);
      if (oldest !== undefined) yield { is: now - oldest, most };
    },
  },
  {
    of: 'requests to the seed',
    *figures({ now, account, process, streams, isElecting }) {
      yield { is: process.open.seed, most: requestsOf(account, now) + streams + (isElecting ? 1 : 0) + 1 };
    },
  },
  {
    of: 'requests to one shoot',
    *figures({ account, process }) {
      // Its nodes are listed for the candidates; the Machines and the Cluster are asked for at the seed (4.6).
      for (const [shoot, is] of process.open.shoots)
        yield { is, most: account.underWay(['probe', 'askPath', 'listCandidates'], shoot) };
    },
  },
  {
    of: 'watches on the same thing',
    *figures({ process }) {
      for (const is of process.open.watches.values()) yield { is, most: 1 };
    },
  },
  {
    of: 'watches',
    *figures({ process, streams, isElecting }) {
      const { watches } = process.open;
      let is = 0;
      for (const count of watches.values()) is += count;
      yield { is, most: streams + (isElecting ? 1 : 0) };
    },
  },
  {
    of: 'pools of connections',
    *figures({ process, isElecting }) {
      yield { is: process.pools, most: poolsOfClient * (isElecting ? 2 : 1) };
    },
  },
];

/**
 * Requests to the seed that the commands under way are worth. A kind with a scale subresource is read by two at once (6.6), and for the candidates
 * the Machines and the Cluster are asked for. One more for each stream is its list, or the question where the seed stands (6.6);
 * one is the election's, one a Kubernetes event (9.5).
 */
function requestsOf(account: ProcessSeen['account'], now: number): number {
  const single = account.underWay(['scale', 'readCluster', 'deletePod']);
  return single + 2 * account.underWay(['read', 'listCandidates']) + 2 * account.outlived(now);
}
