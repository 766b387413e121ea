import { seedStreams } from 'dependency-watchdog/adapters/seed-watch/seed-informers.ts';
import type { Law } from '../law.ts';
import type { Scene, Slot } from '../scene.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import { BoundsAccount } from './bounds-account.ts';

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

/**
 * Timers that any process may have: a look at its clock each second (1.4), two roll calls and one line of a seed that is out (9.4), the
 * slowdown of scale-ups (6.12), one place in each lane and one in the election's (1.2), the next try of an output that failed (11.1), the look for marks (6.5).
 */
const usualTimers = 11;
/** When nothing is wrong: the look at the clock, the roll call, and in a leader's first minute the look for marks. */
const calmTimers = 3;
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

/** Simulated seconds. What grows is seen at one look or at another, and each costs. */
const lookEvery = 10;

/** Whatever waits in a process, and whatever it keeps, is no more than what its machines, its streams and its commands are worth. */
export const bounds: Law = {
  name: '1.2 4.7 6.6 7.3 what waits and what is kept has a bound',
  begin(scene, { breaks }) {
    const accounts = new Map<string, BoundsAccount>();
    const judged = new Map<Bound, number>();
    const atBound = new Map<Bound, number>();
    let isSettled = false;
    let looks = 0;

    const accountOf = (process: string): BoundsAccount => {
      const account = accounts.get(process) ?? new BoundsAccount();
      accounts.set(process, account);
      return account;
    };

    const look = (): void => {
      for (const slot of scene.slots) {
        const { process } = slot;
        // What stands still has a queue before its gate, which is not its own.
        if (process === undefined || process.isPaused) continue;
        const seen = seenOf(scene, slot, process, accountOf(process.name), isSettled);
        for (const bound of [...boundsOfQueues, ...boundsOfMemory]) {
          for (const { is, most } of bound.figures(seen)) {
            judged.set(bound, (judged.get(bound) ?? 0) + 1);
            if (is === most) atBound.set(bound, (atBound.get(bound) ?? 0) + 1);
            if (is > most) return breaks(`${process.name} has ${is} ${bound.of}, and ${most} at most`);
          }
        }
      }
    };

    return {
      turn: ({ at, process, turn }) => accountOf(process).hear(turn, at),
      throttled: ({ at, process }) => accountOf(process).throttled(at),
      process({ at, process, did }) {
        if (did === 'resumed') accounts.get(process)?.resumed(at);
        if (did === 'crashed' || did === 'ended') accounts.delete(process);
      },
      look() {
        looks += 1;
        if (looks % lookEvery === 0) look();
      },
      settled() {
        isSettled = true;
      },
      counts: () =>
        Object.fromEntries([
          ...[...judged].map(([bound, count]) => [`bounds of ${bound.of}`, count]),
          ...[...atBound].map(([bound, count]) => [`bounds of ${bound.of}: reached`, count]),
        ]),
    };
  },
};

function seenOf(
  scene: Scene,
  { role }: Slot,
  process: SimulatedProcess,
  account: BoundsAccount,
  isSettled: boolean,
): ProcessSeen {
  const { plan, config } = scene;
  const { watches, opening } = process.open;
  // One follows the services, and one the pods of each namespace with an open window (7.2).
  const streams = role === 'prober' ? seedStreams(config).length : 1 + account.openNamespaces();
  const ofLease = [...watches.keys()].some((path) => path.includes('/leases')) ? 1 : 0;
  return {
    now: scene.now(),
    role,
    process,
    account,
    streams,
    begun: Math.max(0, watches.size - ofLease - opening),
    isElecting: plan.election || plan.replicas[role] > 1,
    dependants: config.dependants.length,
    isSettled,
  };
}
