import type { Instant, Millis } from '../time.ts';
import type { SeenLease } from './seen-lease.ts';
import { servedMeanwhile, type Silence } from './silence.ts';
import { isExpired } from './verdict.ts';

/** How long a kube-controller-manager that runs takes at most to see that a lease has expired: it looks every 5 s. */
const marksWithin: Millis = 10_000;

/** A lease that its kubelet renews has moved by then: renewals come every 10 s, with 4 % of chance. */
const movesWithin: Millis = 12_000;

/** What was asked when, and of whom. `silence`: of the shoot's API server, before this answer. */
type Asked = Readonly<{ askedAt: Instant; grace: Millis; silence: Silence | null }>;

/**
 * Returns a function that tells when it is known whether an old lease is one that nobody renews; undefined where that is known now, or it is not
 * old (SPEC 5.1). `all`: the leases of the same answer.
 */
export function leaseDoubts(all: readonly SeenLease[], { askedAt, grace, silence }: Asked) {
  const served = servedMeanwhile(silence, all);
  return (lease: SeenLease): Instant | undefined => {
    const { renewedAt, movedAt, shownAt } = lease;
    if (renewedAt === null || shownAt === undefined || !isExpired(lease, askedAt, grace)) return undefined;
    // A controller-manager that runs has marked its node already, so there is no harm left that waiting would add.
    const harmIsDone = askedAt - renewedAt > grace + marksWithin;
    // Nobody could renew it before. Where the controller-manager may have run on, only what it has done already can wait.
    const returnedAt = served === 'nobody' || (served === 'us' && harmIsDone) ? silence?.overAt : undefined;
    // Nobody has seen it move: its kubelet's clock may be behind.
    const firstSeenAt = movedAt === undefined && harmIsDone ? shownAt : undefined;
    const endsAt = Math.max(returnedAt ?? -Infinity, firstSeenAt ?? -Infinity) + movesWithin;
    return askedAt < endsAt ? endsAt : undefined;
  };
}
