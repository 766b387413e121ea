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
 * Whoever rests sees nothing: a stream that rests is out, and so is one whose list or watch is slow to come. It is live
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
}>;

type Watching = Readonly<{
  doing: 'watching';
  /** The newest that was seen. */
  resourceVersion: string;
  /** No watch has run since the list that this one follows. */
  fresh: boolean;
  openedAt: Instant | undefined;
}>;

type Resting = Readonly<{
  doing: 'resting';
  until: Instant;
  /** Where to watch from; undefined where a list comes first. */
  resourceVersion: string | undefined;
}>;

export type StreamState = Readonly<{
  /** Failures since the last watch that lasted. */
  failures: number;
  trust: StreamTrust;
}> &
  (Listing | Watching | Resting);

/**
 * Why a list or a watch came to nothing. `expired`: its resourceVersion or page is too old (410). `refused`: 403 or
 * 404. `garbled`: something else than Kubernetes' lines. `silent`: nothing came for too long. `bug`: ours. `failed`: the rest.
 */
export type StreamTrouble = 'expired' | 'refused' | 'garbled' | 'silent' | 'bug' | 'failed';

export type StreamFact =
  | Readonly<{ type: 'listed'; at: Instant; page: string; resourceVersion: string }>
  /** The list or the watch has been waited for so long that what is kept may be old. */
  | Readonly<{ type: 'late'; at: Instant }>
  | Readonly<{ type: 'opened'; at: Instant }>
  | Readonly<{ type: 'advanced'; at: Instant; resourceVersion: string }>
  | Readonly<{ type: 'ended'; at: Instant }>
  | Readonly<{ type: 'failed'; at: Instant; why: StreamTrouble; problem: string; retryAfter?: Millis | undefined }>
  | Readonly<{ type: 'rested'; at: Instant }>
  /** What is kept is of a history that the seed has left. */
  | Readonly<{ type: 'rewound'; at: Instant }>;

// A seed that is back must be seen again within the time that a meltdown takes to begin.
const pauses = { first: 800, longest: 30_000 };

// A server that takes our watches and drops them at once must not be asked in a tight loop.
const healthySpell = 10_000;

// A resourceVersion that the seed cannot make sense of, so that it drops each watch from there, must not hold the stream for ever.
const failuresBeforeRelist = 4;

// As with a shoot (SPEC 4.5): a server may ask for a pause, not for one without end.
const longestRetryAfter = 60_000;

export const streamStart: StreamState = { doing: 'listing', page: '', failures: 0, trust: 'unknown' };

/** Takes in what happened. A fact that does not belong to the state changes nothing. `chance` is in [0, 1). */
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
  // The first list is as good as a watch that has opened. After an outage it is not: seeing the watch refused again and
  // again, right after each list, must not make the stream come and go.
  if (fact.type === 'listed')
    return watchingFrom(fact.resourceVersion, true, failures, trust === 'unknown' ? 'live' : trust);
  if (fact.type !== 'failed') return state;
  // The pages of one list are kept for some minutes only; who was slow begins again.
  if (fact.why === 'expired' && failures === 0) return { ...streamStart, failures: 1, trust };
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

/** A list comes next, begun anew where one is under way; who rests is not hurried. */
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
  const lasted = openedAt !== undefined && fact.at - openedAt >= healthySpell;
  const earlier = lasted ? 0 : state.failures;
  if (fact.type === 'ended' && lasted) return watchingFrom(resourceVersion, false, 0, trust);

  const failures = earlier + 1;
  if (mustRelist(fact, openedAt !== undefined)) {
    const atOnce = failures === 1 || (fact.type === 'failed' && fact.why === 'expired' && !state.fresh);
    return atOnce ? { ...streamStart, failures, trust } : restAfter(fact, failures, undefined, chance);
  }
  // What was open a moment ago is opened again at once, once.
  if (openedAt !== undefined && failures === 1) return watchingFrom(resourceVersion, false, failures, trust);
  const isUnsure = mayHaveBeenRestored(fact, openedAt !== undefined) || failures % failuresBeforeRelist === 0;
  return restAfter(fact, failures, isUnsure ? undefined : resourceVersion, chance);
}

/**
 * After these the last resourceVersion is no place to go on from: it is gone, or what came after it is not known for
 * sure. An open watch without even a bookmark is one from a resourceVersion that the seed has not reached, as after a
 * restored backup: Kubernetes waits in silence until it does.
 */
function mustRelist(fact: StreamFact & { type: 'ended' | 'failed' }, wasOpen: boolean): boolean {
  if (fact.type === 'ended') return false;
  const { why } = fact;
  return why === 'expired' || why === 'garbled' || why === 'bug' || (why === 'silent' && wasOpen);
}

/**
 * A seed that was away, for however short a time, may have been restored from a backup, and its counter may have overtaken ours by the
 * next try: it would then go on from here as if nothing had been undone. One that refuses us, or asks us to wait, is there.
 */
function mayHaveBeenRestored(fact: StreamFact & { type: 'ended' | 'failed' }, wasOpen: boolean): boolean {
  if (wasOpen || fact.type === 'ended') return false;
  return fact.why !== 'refused' && fact.retryAfter === undefined;
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
