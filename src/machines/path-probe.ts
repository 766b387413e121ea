import { clusterIn } from '../domain/prober/cluster-view.ts';
import {
  firstMarkAfter,
  pathPatience,
  pauseWhileCounting,
  judgePath,
  type PathCount,
  type PathVerdict,
  type ShootPath,
} from '../domain/prober/shoot-path.ts';
import type { Instant, Millis } from '../domain/time.ts';
import { mustReadCluster } from './candidate-look.ts';
import { computedOnce } from './chart-actions.ts';
import { conclude } from './conclusion.ts';
import { neededBy, holdAfter, leaveAlone, planRetry } from './probe-plan.ts';
import { readUnwatched } from './dependants.ts';
import { beginProbe, clusterGot, isCurrentProbe } from './probe-under-way.ts';
import {
  andThen,
  asTwoPaths,
  leasePolicy,
  longerStreak,
  mayBeScaledDown,
  note,
  remember,
  type AskedProbe,
  type Decision,
  type Paths,
  type ShootContext,
  type TwoPaths,
} from './shoot-context.ts';
import type { PathVerdictNote, ShootCommand, ShootEventOf } from './shoot-language.ts';

type PathAnswered = ShootEventOf<'path.answered'>;

/** Asks on the internal path, and on the external one at the same time if the internal one answered last time (SPEC 4.9). */
export function askPaths(context: ShootContext, at: Instant): Decision {
  const { config, paths } = asTwoPaths(context);
  const patience = pathPatience(config.probeTimeout, leasePolicy(context).grace);
  const { context: next } = beginProbe(context, at, patience);
  const external = paths.sideBySide ? 'asked' : 'notAsked';
  const asked = { internal: 'asked', external } as const;
  // An answer that never comes is none.
  const fresh = { ...paths, asked, reason: null, internalSlow: false, sideBySide: false };
  const begun = asTwoPaths({ ...next, paths: fresh });
  const ways: readonly ShootPath[] = paths.sideBySide ? ['internal', 'external'] : ['internal'];
  const questions = ways.map((path) => question(begun, path));
  return andThen(remember(begun, questions), (asked) => readUnwatched(asked, at));
}

/** The internal path answers again: the external one gets what is left of the probe's time. */
export function askExternal(context: ShootContext, event: PathAnswered): Decision {
  const { context: told, paths } = recorded(context, event);
  const asked: TwoPaths = { ...told, paths: { ...paths, asked: { ...paths.asked, external: 'asked' } } };
  return remember(asked, [question(asked, 'external')]);
}

/** One path told; the other one is waited for. */
export function recordPath(context: ShootContext, event: PathAnswered): Decision {
  return remember(recorded(context, event).context);
}

/** The internal path gave no answer: the external one is not asked any more, and no count of it changes (SPEC 4.9). */
export function planAfterInternal(context: ShootContext, event: PathAnswered): Decision {
  const { context: told, paths } = recorded(context, event);
  const { at } = event;
  const { failureThreshold, internalProbeFailureBackOffDuration } = asTwoPaths(context).config;
  const internalFailures = paths.internalFailures + (paths.asked.internal === 'failed' ? 1 : 0);
  const next = { ...told, paths: { ...paths, internalFailures } };
  if (internalFailures < failureThreshold || paths.asked.internal === 'untold') return planRetry(next, at);
  const leftAloneUntil = at + internalProbeFailureBackOffDuration;
  const alone = { ...next, probe: leaveAlone(next.probe, leftAloneUntil) };
  const said = note({ kind: 'internalFailed', failures: internalFailures, leftAloneUntil });
  return andThen(remember(alone, internalFailures === failureThreshold ? [said] : []), (left) => planRetry(left, at));
}

/** The external path could not be asked, so nothing is known of it. */
export function planAfterExternal(context: ShootContext, event: PathAnswered): Decision {
  return planRetry(recorded(context, event).context, event.at);
}

export function askCluster(context: ShootContext, event: PathAnswered): Decision {
  const { context: told } = recorded(context, event);
  const under = underWay(told);
  // The paths may have taken all of the probe's time.
  const deadlineAt = Math.max(under.deadlineAt, event.at + clusterPatience);
  const asked = { ...under, deadlineAt, cluster: 'asked' } as const;
  const { number } = asked;
  const next = { ...told, probe: { ...told.probe, asked } };
  return remember(next, [{ type: 'readCluster', params: { number, deadlineAt, ...neededBy(told) } }]);
}

export function judgePaths(context: ShootContext, event: PathAnswered): Decision {
  const { context: told } = recorded(context, event);
  return judge(told, event.at, { clusterRead: false });
}

export function judgePathsOfCluster(context: ShootContext, event: ShootEventOf<'cluster.answered'>): Decision {
  const got = clusterGot(context, event);
  const cluster = clusterIn(got) ?? context.cluster;
  return judge(asTwoPaths({ ...context, cluster }), event.at, { clusterRead: got?.outcome === 'read' });
}

/** What both paths have told once this answer is in. The chart asks. */
export function pathsAfter(context: ShootContext, event: PathAnswered): Paths['asked'] {
  return recorded(context, event).paths.asked;
}

/** An answer to a question of the present probe that has no answer yet. */
export function isAwaitedPath(context: ShootContext, answered: PathAnswered): boolean {
  return isCurrentProbe(context, answered) && context.paths?.asked[answered.path] === 'asked';
}

/** Something may follow from what the external path told, and the shoot may hibernate unseen (SPEC 3.5). */
export function mustReadClusterOf(context: ShootContext, { external }: Paths['asked']): boolean {
  if (external === 'failed') return !context.clusterLive;
  return mustReadCluster(context) && mayBeScaledDown(context);
}

/** A GET of one object in the urgent lane. */
const clusterPatience: Millis = 3_000;

function judge(context: TwoPaths, at: Instant, { clusterRead }: Readonly<{ clusterRead: boolean }>): Decision {
  const { paths, streak, config } = context;
  const { askedAt } = underWay(context);
  const cutOff = paths.asked.external === 'failed';
  const of = cutOff ? 'cutOff' : 'connected';
  const external: PathCount = {
    count: longerStreak(streak, of).count,
    of: cutOff ? config.failureThreshold : config.successThreshold,
  };
  const crossedAt = context.outage?.crossedAt ?? askedAt;
  const firstMarkAt = firstMarkAfter(paths.carriedAt, crossedAt, leasePolicy(context).grace);
  const verdict: PathVerdict = cutOff
    ? { kind: 'cutOff', external, crossedAt, firstMarkAt }
    : { kind: 'connected', external };
  const told: PathVerdictNote = {
    kind: 'verdict',
    verdict: of,
    external,
    ...(cutOff && paths.reason !== null ? { reason: paths.reason } : {}),
    ...(cutOff ? { crossedAt } : {}),
  };
  const next = { ...context, paths: { ...paths, carriedAt: cutOff ? paths.carriedAt : askedAt } };
  return conclude(next, at, {
    verdict,
    clusterRead,
    isFirst: streak.count === 0,
    whileCounting: pauseWhileCounting(config.probeInterval),
    notes: { first: [told], last: [] },
  });
}

/** Remembers what a path told. A throttled API server was reached, and asks to be left alone (SPEC 4.5). */
const recorded = computedOnce((context: ShootContext, event: PathAnswered) => {
  const before = asTwoPaths(context);
  const { path, failure, at } = event;
  const told = judgePath(failure);
  const asked = { ...before.paths.asked, [path]: told };
  const answered = path === 'internal' && told === 'answered';
  const reason = path === 'external' ? (failure?.reason ?? null) : before.paths.reason;
  const internalSlow = answered ? isSlow(underWay(before), at) : before.paths.internalSlow;
  const paths: Paths = {
    ...before.paths,
    ...(answered ? { sideBySide: true, internalFailures: 0 } : {}),
    asked:
      internalSlow && asked.external === 'failed' && reason === 'timeout' ? { ...asked, external: 'untold' } : asked,
    reason,
    internalSlow,
  };
  const probe = failure === undefined ? before.probe : holdAfter(before.probe, at, failure);
  const after: TwoPaths = { ...before, probe, paths };
  return { context: after, paths };
});

/**
 * An API server that is so slow on the internal path is as slow on the external one, which may have been asked later, too. If nothing came there in
 * time, the path may still be well.
 */
function isSlow({ askedAt, deadlineAt }: AskedProbe, at: Instant): boolean {
  return at - askedAt > (deadlineAt - askedAt) / 2;
}

function question(context: TwoPaths, path: ShootPath): ShootCommand {
  const { number, deadlineAt } = underWay(context);
  return { type: 'askPath', params: { number, path, deadlineAt, ...neededBy(context) } };
}

function underWay({ probe: { asked } }: ShootContext): AskedProbe {
  if (asked === null) throw new Error('no probe is under way');
  return asked;
}
