import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { silentWords } from 'dependency-watchdog/adapters/record/words/lease-words.ts';
import { expiredWords, verdictKindWords, verdictWords } from 'dependency-watchdog/adapters/record/words/probe-words.ts';
import { changeWords, shortName, viewWords } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import {
  type ClusterReading,
  type ClusterView,
  judgeLifecycle,
} from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { writesAtOnce, type Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { dueChange, type Aim } from 'dependency-watchdog/domain/prober/due-change.ts';
import { accountExpired } from 'dependency-watchdog/domain/prober/odd-leases.ts';
import { leasePolicyOf, expiryFraction, neededFor, isExpired } from 'dependency-watchdog/domain/prober/verdict.ts';
import type { PathVerdict, ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import { isUpToDate } from 'dependency-watchdog/domain/prober/scale-step.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { isAwaitedPath, pathsAfter } from 'dependency-watchdog/machines/path-probe.ts';
import { crossingOf } from 'dependency-watchdog/machines/candidate-look.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import { recordAnswer } from 'dependency-watchdog/machines/lease-probe.ts';
import { isCurrentProbe, probeLostAt } from 'dependency-watchdog/machines/probe-under-way.ts';
import { isAnythingDue } from 'dependency-watchdog/machines/shield.ts';
import {
  leasePolicy,
  mayBeScaledDown,
  type MachineEvent,
  type ShootContext,
} from 'dependency-watchdog/machines/shoot-context.ts';
import { leaseAges } from '../judged-leases.ts';
import {
  fact,
  instantFact,
  namesWords,
  pathStateWords,
  percent,
  reasonWords,
  shortened,
  judgedFacts,
  yesOrNo,
  type Fact,
  type GuardArgs,
} from './explanation.ts';

export type ShootArgs = GuardArgs<ShootContext, MachineEvent>;

/** What a Cluster asks of its probe (SPEC 3.1, 3.2). */
export function lifecycleFacts(reading: ClusterReading): readonly Fact[] {
  if (!reading.readable) return [fact('Cluster', `cannot be read: ${reading.problem}`)];
  const lifecycle = judgeLifecycle(reading.cluster);
  switch (lifecycle.kind) {
    case 'start':
      return [fact('Cluster', 'may be probed')];
    case 'stop':
      return [fact('Cluster', `may not be probed: ${lifecycle.reason}`)];
    case 'keep':
      return [fact('Cluster', `neither starts nor stops probing: ${lifecycle.reason}`)];
  }
}

/** What the verdict counted, against what it needs (SPEC 5.1, 5.3). */
export function verdictFacts({ context, event }: ShootArgs): readonly Fact[] {
  if (event.type !== 'verdict.reached') return [];
  if ('external' in event.verdict) return pathVerdictFacts(context, event.verdict, event.at);
  const { kind, expired, candidates } = event.verdict;
  const { failureFraction } = leasePolicy(context);
  const share = candidates === 0 ? '' : ` (${percent(expired / candidates)})`;
  const needed =
    candidates < 2
      ? 'two candidates at least'
      : `${percent(failureFraction)}, which is ${expiredWords.share({ expired: neededFor(candidates, failureFraction), candidates })}`;
  return [
    fact('verdict', verdictKindWords[kind]),
    fact('leases', `${expiredWords.line(event.verdict)}${share}`),
    fact('needed', needed),
    ...silenceFacts(context),
    ...(event.verdict.kind === 'cutOff' ? [instantFact('met since', event.verdict.crossedAt, event.at)] : []),
  ];
}

/** The same of two paths (SPEC 4.9). */
function pathVerdictFacts(context: ShootContext, verdict: PathVerdict, now: Instant): readonly Fact[] {
  return [
    fact('verdict', verdictKindWords[verdict.kind]),
    ...judgedFacts(context, verdict),
    ...(verdict.kind === 'cutOff' ? [instantFact('first failed question', verdict.crossedAt, now)] : []),
  ];
}

/** The verdict alone, for a guard that asks for more than that. */
export function verdictFact({ event }: ShootArgs): readonly Fact[] {
  if (event.type !== 'verdict.reached') return [];
  const { verdict } = event;
  const told =
    'external' in verdict ? { ...verdict, verdict: verdict.kind } : ({ ...verdict, verdict: verdict.kind } as const);
  return [fact('verdict', verdictWords.note(told))];
}

/** Which nodes were silent for longest, against how long they may be. */
function silenceFacts(context: ShootContext): readonly Fact[] {
  const { seen } = context;
  if (seen === null) return [];
  const { grace } = leasePolicy(context);
  const { leases, askedAt, nonCandidates } = seen;
  const expired = accountExpired(leases, nonCandidates, { askedAt, grace });
  const left = new Set(nonCandidates);
  const oldest = leaseAges(context).find(({ node, silent }) => silent !== null && !left.has(node));
  const limit = `${seconds(expiryFraction * grace)} without renewal, ${percent(expiryFraction)} of the grace of ${seconds(grace)}`;
  return [
    fact(
      'silent longest',
      expired.count > 0
        ? silentWords(expired)
        : oldest === undefined
          ? 'none'
          : `${shortened(oldest.node)} for ${seconds(oldest.silent ?? 0)}`,
    ),
    fact('threshold', limit),
    ...(nonCandidates.length === 0 ? [] : [fact('left out', namesWords(nonCandidates))]),
  ];
}

/** How many verdicts of one direction there were in a row (SPEC 2). */
export function streakFacts(of: 'cutOff' | 'connected'): (args: ShootArgs) => readonly Fact[] {
  return ({ context: { streak, config } }) => {
    const needed = of === 'cutOff' ? config.failureThreshold : config.successThreshold;
    const count = streak.of === of ? streak.count : 0;
    return [fact('verdicts in a row', `${count} ${verdictKindWords[of]}, ${needed} needed`)];
  };
}

const aims = { down: 'down', upAll: 'up, whatever stands at 0', upOurs: 'up, only what carries our mark' };

/** What a verdict of this direction would have to do, dependant by dependant (SPEC 6.2). */
export function dueFacts(direction: 'down' | 'up'): (args: ShootArgs) => readonly Fact[] {
  return ({ context, event }) => {
    if (event.type !== 'verdict.reached' || (event.aim === 'down') !== (direction === 'down')) return [];
    const { aim } = event;
    const { dependants } = context.config;
    return [fact('aim', aims[aim]), ...dependants.map((one) => fact(shortName(one.key), dueWords(context, one, aim)))];
  };
}

function dueWords(context: ShootContext, one: Dependant, aim: Aim): string {
  const known = context.known[one.key];
  const alone = { ...context, config: { ...context.config, dependants: [one] } };
  if (!isAnythingDue(alone, aim))
    return `nothing due: ${known === undefined || known.view === null ? 'it may not be read' : viewWords(known.view)}`;
  if (known?.writing != null) return `due: write ${known.writing} is under way`;
  if (!isUpToDate(known)) return 'due: how it stands is not known';
  const { view } = known;
  const change = dueChange(view, aim, writesAtOnce(one.ref));
  return change === undefined || !view.found
    ? 'due'
    : `due: ${changeWords('', { seen: view, change }).replaceAll('  ', ' ').trim()}`;
}

/** Which probe an event answers, and which one is under way (SPEC 4.3). */
export function currentFacts(args: ShootArgs): readonly Fact[] {
  const { context, event } = args;
  if (!('number' in event)) return probeUnderWay(args);
  const lostAt = probeLostAt(context);
  const isOver = lostAt !== undefined && event.at >= lostAt;
  return [
    fact('answers', `probe ${event.number}`),
    ...probeUnderWay(args),
    ...(isOver ? [instantFact('given up', lostAt, event.at)] : []),
  ];
}

export function probeUnderWay({ context: { probe } }: ShootArgs): readonly Fact[] {
  return [fact('under way', probe.asked === null ? 'no probe' : `probe ${probe.asked.number}`)];
}

/** When the next probe is due, and whether the shoot is left alone until then (SPEC 4.5, 4.9). */
export function dueProbeFacts({ context, event }: ShootArgs): readonly Fact[] {
  const { heldUntil } = context.probe;
  return [
    instantFact('due', probeDueAt(context), event.at),
    ...(heldUntil === null ? [] : [instantFact('left alone until', heldUntil, event.at)]),
  ];
}

/** By what leases are judged, before and after (SPEC 3.3). */
export function policyFacts({ context: { cluster, config }, event }: ShootArgs): readonly Fact[] {
  if (event.type !== 'cluster.changed') return [];
  if (!event.reading.readable) return [fact('Cluster', 'cannot be read')];
  if (cluster === null) return [fact('before', 'no Cluster was seen')];
  const words = (of: ClusterView) =>
    `grace ${seconds(leasePolicyOf(of, config).grace)}; ${of.workers.map(({ name, nodeConditions }) => `${name}: ${nodeConditions?.join(', ') ?? 'default conditions'}`).join('; ')}`;
  return [fact('before', words(cluster)), fact('after', words(event.reading.cluster))];
}

export function streamFact({ clusterLive }: ShootContext): Fact {
  return fact('stream of Clusters', clusterLive ? 'live' : 'out');
}

/** Whether nodes and Machines can change what follows from the answer (SPEC 5.4). */
export function lookFacts({ context, event }: ShootArgs): readonly Fact[] {
  if (event.type !== 'probe.answered' || !isCurrentProbe(context, event)) return [];
  const now = recordAnswer(context, event);
  const { leases, askedAt, lookedAt } = now.seen;
  const policy = leasePolicy(now);
  const expired = leases.filter((lease) => isExpired(lease, askedAt, policy.grace)).map(({ node }) => node);
  const crossing = crossingOf(now, askedAt);
  return [
    fact(
      'leases',
      `${expiredWords.line({ expired: expired.length, candidates: leases.length })}: ${namesWords(expired)}`,
    ),
    yesOrNo('anything may be down', mayBeScaledDown(now)),
    yesOrNo('anything could go down', isAnythingDue(now, 'down')),
    streamFact(now),
    lookedAt === null
      ? fact('last look', 'none that tells of every lease')
      : instantFact('last look', lookedAt, askedAt),
    ...(crossing === undefined ? [] : [instantFact('could be cut off', crossing, askedAt)]),
  ];
}

/** What these paths have told once the answer is in, and why. */
export function pathFacts(...paths: readonly ShootPath[]): (args: ShootArgs) => readonly Fact[] {
  return (args) => {
    const { context, event } = args;
    if (event.type !== 'path.answered') return [];
    if (!isAwaitedPath(context, event))
      return [...currentFacts(args), fact(`${event.path} path`, 'nobody waits for its answer any more')];
    const told = pathsAfter(context, event);
    return paths.map((path) =>
      fact(`${path} path`, `${pathStateWords[told[path]]}${path === event.path ? reasonWords(event.failure) : ''}`),
    );
  };
}

/** How long the internal path took to answer: where that was long, a time-out of the external one tells nothing (SPEC 4.9). */
export function slownessFacts({ context, event }: ShootArgs): readonly Fact[] {
  const { asked } = context.probe;
  if (event.type !== 'path.answered' || asked === null || !isAwaitedPath(context, event)) return [];
  const isSlow = context.paths?.internalSlow === true;
  if (event.path === 'external')
    return event.failure?.reason === 'timeout'
      ? [yesOrNo('internal path took more than half of the time', isSlow)]
      : [];
  const took = `${seconds(event.at - asked.askedAt)} of the ${seconds(asked.deadlineAt - asked.askedAt)} of the probe`;
  return [fact('internal path took', took)];
}
