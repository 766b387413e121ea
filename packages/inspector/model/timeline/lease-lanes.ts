import type { NodeLease } from 'dependency-watchdog/domain/prober/node-lease.ts';
import { type LeasePolicy, expiresAt, expiryFraction, isExpired } from 'dependency-watchdog/domain/prober/verdict.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { LeasesSeen } from 'dependency-watchdog/machines/leases-seen.ts';
import { leasePolicy } from 'dependency-watchdog/machines/shoot-context.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { LeaseLane, LeaseLimit } from './lanes.ts';
import { leftOutWordsOf } from '../judged-leases.ts';
import { track, type Track } from './track.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';

type LaneState = {
  readonly node: string;
  readonly renewed: Instant[];
  readonly seen: Instant[];
  readonly spans: Track;
  leftOut: string | null;
  /** When the last answer that held it was asked for. */
  heldAt: Instant;
  /** How bad it is: for how long it was expired and counted, and its greatest age. */
  expiredFor: Millis;
  oldest: Millis;
};

export type LeaseLanes = Readonly<{
  take(replayedTurn: ReplayedTurn<ShootLanguage>): void;
  /** Nothing is known from `at` on. */
  stop(at: Instant): void;
  /** Those that were expired for longest come first, then by age and name. */
  lanes(): readonly LeaseLane[];
  limits: readonly LeaseLimit[];
}>;

/** A lane for each lease that any probe of these turns has shown. They are as many as the turns hold, so whoever bounds the turns bounds these. */
export function leaseLanes(): LeaseLanes {
  const states = new Map<string, LaneState>();
  const limits: LeaseLimit[] = [];
  let policy: LeasePolicy | undefined;
  let leftOut: ReadonlySet<string> = new Set();

  return {
    limits,
    take(replayedTurn) {
      const { turn, before, after } = replayedTurn;
      const { event } = turn;
      if (after !== undefined) judgeBy(turn.at, leasePolicy(after.context));
      if (after === undefined) {
        if (event.type === 'probe.answered') hear(event.askedAt, event.leases);
        return;
      }
      const { seen } = after.context;
      if (seen === null) return stop(turn.at);
      const isNews = seen !== before?.context.seen;
      // The machine takes no answer of a probe that it no longer waits for.
      if (event.type === 'probe.answered' && isNews) hear(seen.askedAt, seen.leases);
      if (event.type === 'candidates.answered' && isNews)
        leave(turn.at, reasons(replayedTurn, seen.nonCandidates), seen);
      else if (leftOut.size === 0 && seen.nonCandidates.length > 0)
        leave(turn.at, new Map(seen.nonCandidates.map((node) => [node, 'as an earlier look found'])), seen);
    },
    stop,
    lanes: () =>
      [...states.values()]
        .toSorted((one, other) => worse(one, other))
        .map(({ node, renewed, seen, spans }) => ({
          id: `lease ${node}`,
          name: node,
          shows: 'lease',
          spans: spans.spans,
          ages: { renewed, seen },
        })),
  };

  function stop(at: Instant): void {
    for (const state of states.values()) {
      state.leftOut = null;
      state.spans.show(at, null);
    }
    leftOut = new Set();
  }

  function judgeBy(at: Instant, next: LeasePolicy): void {
    if (policy?.grace !== next.grace) limits.push({ at, limit: expiryFraction * next.grace, grace: next.grace });
    policy = next;
  }

  function hear(askedAt: Instant, leases: readonly NodeLease[]): void {
    for (const lease of leases) {
      const state = states.get(lease.node) ?? begun(lease.node);
      if (lease.renewedAt !== null) renew(state, askedAt, lease.renewedAt);
      face(state, askedAt, lease);
      state.heldAt = askedAt;
    }
    for (const state of states.values())
      if (state.heldAt < askedAt)
        state.spans.show(askedAt, { tone: 'quiet', label: 'no lease', words: 'the node has no lease' });
  }

  function begun(node: string): LaneState {
    const state: LaneState = {
      node,
      renewed: [],
      seen: [],
      spans: track(),
      leftOut: null,
      heldAt: -Infinity,
      expiredFor: 0,
      oldest: 0,
    };
    states.set(node, state);
    return state;
  }

  function renew(state: LaneState, askedAt: Instant, renewedAt: Instant): void {
    const { renewed, seen } = state;
    const before = seen.at(-1);
    if (renewed.at(-1) === renewedAt) seen[seen.length - 1] = askedAt;
    else {
      renewed.push(renewedAt);
      seen.push(askedAt);
    }
    state.oldest = Math.max(state.oldest, askedAt - renewedAt);
    if (
      policy !== undefined &&
      !leftOut.has(state.node) &&
      isExpired({ node: state.node, renewedAt }, askedAt, policy.grace)
    )
      state.expiredFor += askedAt - Math.max(before ?? 0, expiresAt(renewedAt, policy.grace));
  }

  function face({ node, spans, leftOut: why }: LaneState, askedAt: Instant, { renewedAt }: NodeLease): void {
    const last = spans.spans.at(-1);
    if (why !== null) return;
    if (renewedAt === null)
      spans.show(askedAt, { tone: 'unknown', label: 'no renewTime', words: 'its renewTime cannot be read' });
    else if (policy !== undefined && isExpired({ node, renewedAt }, askedAt, policy.grace)) {
      const words = `expired: older than ${seconds(expiryFraction * policy.grace)}`;
      const earliest = last === undefined ? -Infinity : (last.until ?? askedAt);
      spans.show(Math.max(expiresAt(renewedAt, policy.grace), earliest), { tone: 'cutOff', label: 'expired', words });
    } else if (last?.until === null) spans.show(Math.max(renewedAt, last.from), null);
  }

  function leave(at: Instant, next: ReadonlyMap<string, string>, { askedAt, leases }: LeasesSeen): void {
    if (next.size === 0 && leftOut.size === 0) return;
    for (const node of leftOut) {
      const state = states.get(node);
      if (state === undefined || next.has(node)) continue;
      state.leftOut = null;
      state.spans.show(at, null);
      const lease = leases.find((one) => one.node === node);
      if (lease !== undefined) face(state, askedAt, lease);
    }
    for (const [node, because] of next) {
      const state = states.get(node);
      if (state === undefined) continue;
      state.leftOut = because;
      state.spans.show(at, { tone: 'quiet', label: 'left out', words: `left out: ${because}` });
    }
    leftOut = new Set(next.keys());
  }
}

function reasons(
  { turn: { event }, after }: ReplayedTurn<ShootLanguage>,
  nonCandidates: readonly string[],
): ReadonlyMap<string, string> {
  if (event.type !== 'candidates.answered' || after === undefined) return new Map();
  const whyNot = leftOutWordsOf(event, after.context);
  return new Map(nonCandidates.map((name) => [name, whyNot(name) ?? 'it does not count']));
}

function worse(one: LaneState, other: LaneState): number {
  return other.expiredFor - one.expiredFor || other.oldest - one.oldest || naturalOrder(one.node, other.node);
}
