import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Fault } from '../api/faults.ts';
import type { PathFault } from '../api/balancer.ts';

/** What happens to one request on its way to a server in memory, and to the answer. */
export type Fate = Readonly<{
  /** Until the connection is there. The request is sent then. */
  connect: Millis;
  /** From there until the server has it. */
  there: Millis;
  /** From the server's answer until the client has its head. */
  back: Millis;
  /** One of these times is out of the usual. */
  isSlow?: boolean;
  end: FateEnd;
  /** Under whose name it is told, where it is not the fault's own: a balancer that fails. */
  by?: StruckFault;
}>;

export type FateEnd =
  | Readonly<{ kind: 'answered' }>
  /** Nobody listens. With a code of errno(3), it is the client's own machine that refuses. */
  | Readonly<{ kind: 'refused'; code?: 'EMFILE' }>
  /** The server never gets it. The client hears nothing, or that the connection is reset. */
  | Readonly<{ kind: 'lost'; reset: boolean }>
  /** The server carries it out, and the answer does not come back. */
  | Readonly<{ kind: 'unanswered'; reset: boolean }>
  /** The server gets it twice, the second time so much later; a retry of some proxy. The client has the first answer. */
  | Readonly<{ kind: 'doubled'; after: Millis }>
  /** Somebody on the way refuses with this status; the server never gets it. */
  | Readonly<{ kind: 'status'; code: number; retryAfterSeconds?: number }>
  /** What comes back is no JSON. */
  | Readonly<{ kind: 'garbled' }>
  /** The connection ends within the answer's body. */
  | Readonly<{ kind: 'truncated' }>;

/** What happens to the events of one watch. */
export type WatchFate = Readonly<{
  /** Each event comes so much later; their order stays. */
  lag: () => Millis;
  /** So long after its beginning nothing comes any more, and nobody says so. */
  silentAfter?: Millis;
  /** So long after its beginning the connection is reset. */
  cutAfter?: Millis;
  /** No bookmark comes through. */
  withoutBookmarks?: boolean;
}>;

/** A fault that has truly struck: not one that was drawn for a request which never came so far. */
export type StruckFault =
  | Exclude<FateEnd['kind'], 'answered'>
  | 'slow'
  | 'watch silent'
  | 'watch cut'
  | 'no bookmarks'
  | 'server down'
  | `server ${Fault['kind']}`
  | `path ${PathFault['kind']}`;

export const answered: FateEnd = { kind: 'answered' };
