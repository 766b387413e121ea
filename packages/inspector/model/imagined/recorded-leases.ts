import { clockDifference, type NodeLease, type ServedDate } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { lastUntil } from '../timeline/lanes.ts';

/** A kubelet renews its lease so often. */
const renewalInterval: Millis = 10_000;

/** Each answer from `at` to `until` showed this; null: it could not be read; `gone`: the lease was not among them. */
type Shown = { readonly at: Instant; until: Instant; readonly renewTime: Instant | null | 'gone' };

/** When the controller-manager would have marked nodes, as far as leases are recorded. */
export type Marks = Readonly<{ nodes: number; firstAt: Instant | null }>;

/** The leases of a shoot as its probes recorded them, for any instant. */
export type RecordedLeases = Readonly<{
  take(askedAt: Instant, leases: readonly NodeLease[], served: ServedDate | undefined): void;
  /** What a probe at that instant would have shown. */
  at(now: Instant): readonly NodeLease[];
  /** Nodes whose leases became as old as the grace between two instants. */
  marks(grace: Millis, from: Instant, until: Instant): Marks;
}>;

/** Only what changes is kept: a night has a hundred thousand answers. */
export function recordedLeases(): RecordedLeases {
  const nodes = new Map<string, Shown[]>();
  let ahead: Millis = 0;

  function renewedAt(shown: readonly Shown[], now: Instant): Instant | null | 'gone' {
    const index = lastUntil(shown, now);
    const before = shown[index];
    const known = before === undefined ? 'gone' : before.renewTime;
    const next = shown[index + 1];
    if (next === undefined) return goesOn(before, now, ahead);
    if (typeof next.renewTime !== 'number') return known;
    const missed = Math.max(0, Math.ceil((next.renewTime - ahead - now) / renewalInterval));
    const renewed = next.renewTime - missed * renewalInterval;
    return renewed - ahead > (before?.until ?? -Infinity) ? renewed : known;
  }

  function isMarked({ until, renewTime }: Shown, next: Shown | undefined, due: Instant): boolean {
    if (typeof renewTime !== 'number') return false;
    if (due <= until) return true;
    return typeof next?.renewTime === 'number' && firstRenewal(next.renewTime - ahead, until) > due;
  }

  return {
    take(askedAt, leases, served) {
      ahead = clockDifference(served);
      const there = new Map(leases.map(({ node, renewedAt: renewTime }) => [node, renewTime]));
      for (const node of there.keys()) if (!nodes.has(node)) nodes.set(node, []);
      for (const [node, shown] of nodes) {
        const renewTime = there.has(node) ? (there.get(node) ?? null) : 'gone';
        const last = shown.at(-1);
        if (last?.renewTime === renewTime) last.until = askedAt;
        else shown.push({ at: askedAt, until: askedAt, renewTime });
      }
    },
    at: (now) =>
      [...nodes].flatMap(([node, shown]) => {
        const renewed = renewedAt(shown, now);
        return renewed === 'gone' ? [] : [{ node, renewedAt: renewed }];
      }),
    marks(grace, from, until) {
      const marked = [...nodes.values()].flatMap((shown) => {
        const found = shown.flatMap((one, index) => {
          const due = typeof one.renewTime === 'number' ? one.renewTime - ahead + grace : Infinity;
          return due >= from && due <= until && isMarked(one, shown[index + 1], due) ? [due] : [];
        });
        return found.slice(0, 1);
      });
      return { nodes: marked.length, firstAt: marked.length === 0 ? null : Math.min(...marked) };
    },
  };
}

/** Behind the last answer that is recorded: what was renewed then goes on to be renewed, and what was late stays as it is. */
function goesOn(last: Shown | undefined, now: Instant, ahead: Millis): Instant | null | 'gone' {
  if (typeof last?.renewTime !== 'number') return last === undefined ? 'gone' : last.renewTime;
  const { renewTime, until } = last;
  if (until + ahead - renewTime > 1.5 * renewalInterval) return renewTime;
  return renewTime + Math.max(0, Math.floor((now + ahead - renewTime) / renewalInterval)) * renewalInterval;
}

/** Its kubelet renewed it every ten seconds up to what was seen: the first time that nobody saw. */
function firstRenewal(seen: Instant, since: Instant): Instant {
  return seen - Math.max(0, Math.ceil((seen - since) / renewalInterval) - 1) * renewalInterval;
}
