/**
 * How a stream keeps up with one kind of objects on the seed: a machine of three states and one pure step.
 *
 *            last page                ended, cut (once)
 *   listing ───────────► watching ─────────────► watching
 *    ▲  │ failed          │   │ expired, garbled, silent
 *    │  │                 │   └────────────────► listing
 *    │  ▼                 ▼ failed again
 *    └─ resting ◄─────────┘
 *          └── from the last resourceVersion ──► watching
 *
 * A stream that rests sees nothing, so it is out. So is a stream whose list or watch is slow to come. It is live
 * again when its next watch has opened.
 */
import { spreadBackoff } from '../../domain/backoff.ts';
import type { Instant, Millis } from '../../domain/time.ts';

/** `unknown` until the first list is in; `refused` is `out` by the seed's decision. */
type StreamTrust = 'unknown' | 'live' | 'out' | 'refused';

type Listing = Readonly<{
  doing: 'listing';
  /** The continue token; empty for the first page. */
  page: string;
  /** All in one, since the pages of this list expired. */
  whole: boolean;
}>;

type Watching = Readonly<{
  doing: 'watching';
  /** The newest one that was seen. */
  resourceVersion: string;
  /** It is the first watch after a list. */
  fresh: boolean;
  openedAt: Instant | undefined;
}>;

type Resting = Readonly<{
  doing: 'resting';
  until: Instant;
  /** The version to watch from; undefined where a list comes first. */
  resourceVersion: string | undefined;
}>;

export type StreamState = Readonly<{
  /** Failures since the last watch that lasted. */
  failures: number;
  trust: StreamTrust;
}> &
  (Listing | Watching | Resting);

/**
 * Why a list or a watch failed. `expired`: its resourceVersion or page is too old (410). `refused`: 403 or 404. `garbled`: the answer
 * was not in Kubernetes' form. `silent`: nothing came for too long. `bug`: our own code threw. `failed`: any other reason.
 */
export type StreamTrouble = 'expired' | 'refused' | 'garbled' | 'silent' | 'bug' | 'failed';

export type StreamFact =
  | Readonly<{ type: 'listed'; at: Instant; page: string; resourceVersion: string }>
  /** The list or the watch takes so long to come that the store may be out of date. */
  | Readonly<{ type: 'late'; at: Instant }>
  | Readonly<{ type: 'opened'; at: Instant }>
  | Readonly<{ type: 'advanced'; at: Instant; resourceVersion: string }>
  | Readonly<{ type: 'ended'; at: Instant }>
  /** `reason`: the problem in a few words, without what was asked. */
  | Readonly<{
      type: 'failed';
      at: Instant;
      why: StreamTrouble;
      problem: string;
      reason: string;
      retryAfter?: Millis | undefined;
    }>
  | Readonly<{ type: 'rested'; at: Instant }>
  /** The store is from a history that the seed has left, or may be. */
  | Readonly<{ type: 'rewound'; at: Instant }>;

// We must see that a seed is back within the time that a meltdown takes to begin.
const pauses = { first: 800, longest: 30_000 };

// A server that accepts our watches and drops them at once must not be asked in a tight loop.
const healthySpell = 10_000;

// The seed may not understand our resourceVersion, and drop each watch from there. That must not hold the stream up for ever.
const failuresBeforeRelist = 4;

// As with a shoot (SPEC 4.5): a server may ask for a pause, but not for an endless one.
const longestRetryAfter = 60_000;

export const streamStart: StreamState & Listing = {
  doing: 'listing',
  page: '',
  whole: false,
  failures: 0,
  trust: 'unknown',
};

/** Returns the state after a fact. A fact that does not fit the state changes nothing. `chance` is in [0, 1). */
export function stepStream(state: StreamState, fact: StreamFact, chance: number): StreamState {
  if (fact.type === 'rewound') return afterRewind(state);
  switch (state.doing) {
    case 'listing':
      return stepListing(state, fact, chance);
    case 'watching':
      return stepWatching(state, fact, chance);
    case 'resting':
      return fact.type === 'rested' ? afterRest(state) : state;
  }
}

function stepListing(state: StreamState & Listing, fact: StreamFact, chance: number): StreamState {
  const { failures, trust } = state;
  if (fact.type === 'late') return { ...state, trust: trust === 'live' ? 'out' : trust };
  if (fact.type === 'listed' && fact.page !== '') return { ...state, page: fact.page };
  // The first list counts as much as a watch that has opened. After an outage it does not: where the watch is refused again and
  // again, right after each list, the stream must not come and go.
  if (fact.type === 'listed')
    return watchingFrom(fact.resourceVersion, true, failures, trust === 'unknown' ? 'live' : trust);
  if (fact.type !== 'failed') return state;
  // The server keeps the pages of one list for some minutes only, or until a compaction. To begin again might end there again. The token that comes with
  // the refusal leads to pages of another version: a watch from there would miss what changed on the former ones.
  if (fact.why === 'expired' && state.page !== '')
    return { ...streamStart, whole: true, failures: failures + 1, trust };
  return restAfter(fact, failures + 1, undefined, chance);
}

function stepWatching(state: StreamState & Watching, fact: StreamFact, chance: number): StreamState {
  switch (fact.type) {
    case 'late':
      return state.openedAt === undefined && state.trust === 'live' ? { ...state, trust: 'out' } : state;
    case 'opened':
      return { ...state, openedAt: state.openedAt ?? fact.at, trust: 'live' };
    case 'advanced':
      return { ...state, resourceVersion: fact.resourceVersion };
    case 'ended':
    case 'failed':
      return afterWatch(state, fact, chance);
    case 'listed':
    case 'rested':
    case 'rewound':
      return state;
  }
}

/** A list comes next; one that is under way begins anew. A rest is not cut short. */
function afterRewind(state: StreamState): StreamState {
  if (state.doing === 'resting') return { ...state, resourceVersion: undefined };
  return { ...streamStart, failures: state.failures, trust: state.trust };
}

function afterWatch(
  state: StreamState & Watching,
  fact: StreamFact & { type: 'ended' | 'failed' },
  chance: number,
): StreamState {
  const { resourceVersion, openedAt, trust } = state;
  const lasted = hasLasted(state, fact.at);
  const earlier = lasted ? 0 : state.failures;
  if (fact.type === 'ended' && lasted) return watchingFrom(resourceVersion, false, 0, trust);

  const failures = earlier + 1;
  if (mustRelist(fact, openedAt !== undefined)) {
    const atOnce = failures === 1 || (fact.type === 'failed' && fact.why === 'expired' && !state.fresh);
    return atOnce ? { ...streamStart, failures, trust } : restAfter(fact, failures, undefined, chance);
  }
  // A watch that was open a moment ago is opened again at once, but only once.
  if (openedAt !== undefined && failures === 1) return watchingFrom(resourceVersion, false, failures, trust);
  const goesByList = listTells(fact, openedAt !== undefined) || failures % failuresBeforeRelist === 0;
  return restAfter(fact, failures, goesByList ? undefined : resourceVersion, chance);
}

/** Whether a watch is under way that was open for a healthy spell. */
export function hasLasted(state: StreamState, at: Instant): boolean {
  return state.doing === 'watching' && state.openedAt !== undefined && at - state.openedAt >= healthySpell;
}

/**
 * After these failures the stream cannot go on from the last resourceVersion: it is gone, or it is not certain what came after it. An
 * open watch without even a bookmark may be one from a resourceVersion that the seed has not reached, as after a restored
 * backup: Kubernetes then waits in silence until the seed reaches it.
 */
function mustRelist(fact: StreamFact & { type: 'ended' | 'failed' }, wasOpen: boolean): boolean {
  if (fact.type === 'ended') return false;
  const { why } = fact;
  return why === 'expired' || why === 'garbled' || why === 'bug' || (why === 'silent' && wasOpen);
}

/**
 * A seed that was away, even for a short time, may have been restored from a backup. By the next try its counter may have overtaken our
 * version, and it would go on from here as if nothing had been undone. Where the watch is refused, lists alone tell what is new. A seed that asks
 * us to wait was not away.
 */
function listTells(fact: StreamFact & { type: 'ended' | 'failed' }, wasOpen: boolean): boolean {
  return !wasOpen && fact.type === 'failed' && fact.retryAfter === undefined;
}

function restAfter(
  fact: StreamFact & { type: 'ended' | 'failed' },
  failures: number,
  resourceVersion: string | undefined,
  chance: number,
): StreamState {
  const asked = fact.type === 'failed' ? Math.min(longestRetryAfter, fact.retryAfter ?? 0) : 0;
  const until = fact.at + Math.max(asked, spreadBackoff(failures, pauses, chance));
  const trust = fact.type === 'failed' && fact.why === 'refused' ? 'refused' : 'out';
  return { doing: 'resting', until, resourceVersion, failures, trust };
}

function afterRest({ resourceVersion, failures, trust }: StreamState & Resting): StreamState {
  if (resourceVersion === undefined) return { ...streamStart, failures, trust };
  return watchingFrom(resourceVersion, false, failures, trust);
}

function watchingFrom(resourceVersion: string, fresh: boolean, failures: number, trust: StreamTrust): StreamState {
  return { doing: 'watching', resourceVersion, fresh, openedAt: undefined, failures, trust };
}
