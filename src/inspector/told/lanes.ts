import type { Instant, Millis } from '../../domain/time.ts';

/**
 * What a stretch of time looks like. Colour is for consequences alone: `cutOff`, `down` and `refused`. `busy` is under way, `failed` told
 * nothing, `unknown` was not seen.
 */
export type Tone = 'calm' | 'quiet' | 'busy' | 'failed' | 'unknown' | 'cutOff' | 'down' | 'refused';

/** How one stretch is told: `label` where there is room for a few letters, `words` where somebody asks. */
export type SpanFace = Readonly<{ tone: Tone; label: string; words: string }>;

/** `until` is null while it goes on. The spans of a lane are in order, and none begins before the one before it has ended. */
export type LaneSpan = SpanFace & Readonly<{ from: Instant; until: Instant | null }>;

/**
 * The renewals of one lease, as far as probes showed them; both lists are as long. At `seen[i]` the youngest one was that of `renewed[i]`,
 * for the last time that it was asked for. Between then and the next renewal there may have been others, which nobody saw.
 */
export type LeaseAges = Readonly<{ renewed: readonly Instant[]; seen: readonly Instant[] }>;

type LaneName = Readonly<{
  /** Stays the same while lanes come and go. */
  id: string;
  name: string;
}>;

/** `under`: what is on its way meanwhile, such as writes. */
export type SpanLane = LaneName &
  Readonly<{
    shows: 'state' | 'probes' | 'path' | 'dependant' | 'endpoints' | 'window' | 'pods' | 'pod';
    spans: readonly LaneSpan[];
    under: readonly LaneSpan[];
  }>;

/** `spans`: where it is expired, or its node is left out. */
export type LeaseLane = LaneName & Readonly<{ shows: 'lease'; spans: readonly LaneSpan[]; ages: LeaseAges }>;

export type Lane = SpanLane | LeaseLane;

/** From `at` on a lease counts as expired at the age of `limit`, and its node may be marked at that of `grace` (SPEC 5.1). */
export type LeaseLimit = Readonly<{ at: Instant; limit: Millis; grace: Millis }>;

/** One machine in time. */
export type Lanes = Readonly<{
  /** There are few of these, in the order in which they are read. */
  first: readonly Lane[];
  /** Leases, or pods: as many as the shoot has, the worst first. */
  many: readonly Lane[];
  limits: readonly LeaseLimit[];
  /** Of the first and the last turn; null where there is none. */
  firstAt: Instant | null;
  lastAt: Instant | null;
}>;
