import { seconds, counted } from '../../../adapters/words/plain-words.ts';
import { silentWords } from '../../../adapters/words/lease-words.ts';
import { shortName, viewWords } from '../../../adapters/words/shoot-words.ts';
import { changeWords } from '../../../adapters/words/write-words.ts';
import type { ClusterReading, ClusterView } from '../../../domain/prober/cluster-view.ts';
import { writesAtOnce, type Dependant } from '../../../domain/prober/dependant.ts';
import { dueChange, type Aim } from '../../../domain/prober/due-change.ts';
import { accountExpired } from '../../../domain/prober/lease-account.ts';
import { judgeLifecycle } from '../../../domain/prober/lifecycle.ts';
import type { PathVerdict } from '../../../domain/prober/shoot-path.ts';
import { isUpToDate } from '../../../domain/prober/scale-step.ts';
import { expiryFraction, neededFor, isExpired } from '../../../domain/prober/verdict.ts';
import type { Instant } from '../../../domain/time.ts';
import { isAnythingDue } from '../../../machines/shielding.ts';
import { leasePolicy, mayBeScaledDown, type MachineEvent, type ShootContext } from '../../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import {
  fact,
  instantFact,
  namesWords,
  percent,
  shortened,
  externalCountWords,
  judgedFacts,
  yesOrNo,
} from './facts.ts';
import { probeDueAt } from '../../../machines/planning.ts';
import { probeLostAt, isCurrentProbe, recordAnswer } from '../../../machines/probing.ts';
import { leasePolicyOf } from '../../../domain/prober/lease-policy.ts';
import { crossingAfter } from '../../../domain/prober/probe-schedule.ts';

const verdictNames = { cutOff: 'cut off', connected: 'connected', tooFew: 'too few to tell' } as const;

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
export function verdictFacts(context: ShootContext, event: MachineEvent): readonly Fact[] {
  if (event.type !== 'verdict.reached') return [];
  if ('external' in event.verdict) return pathVerdictFacts(context, event.verdict, event.at);
  const { kind, expired, candidates } = event.verdict;
  const { failureFraction } = leasePolicy(context);
  const share = candidates === 0 ? '' : ` (${percent(expired / candidates)})`;
  const needed =
    candidates < 2
      ? 'two candidates at least'
      : `${percent(failureFraction)}, which is ${neededFor(candidates, failureFraction)} of ${candidates}`;
  return [
    fact('verdict', verdictNames[kind]),
    fact('expired', `${expired} of ${candidates} candidates${share}`),
    fact('needed', needed),
    ...silenceFacts(context),
    ...(event.verdict.kind === 'cutOff' ? [instantFact('met since', event.verdict.crossedAt, event.at)] : []),
  ];
}

/** The same of two paths (SPEC 4.9). */
function pathVerdictFacts(context: ShootContext, verdict: PathVerdict, now: Instant): readonly Fact[] {
  return [
    fact('verdict', verdictNames[verdict.kind]),
    ...judgedFacts(context, verdict),
    ...(verdict.kind === 'cutOff' ? [instantFact('first failed question', verdict.crossedAt, now)] : []),
  ];
}

/** The verdict alone, for a guard that asks for more than that. */
export function verdictFact(event: MachineEvent): readonly Fact[] {
  if (event.type !== 'verdict.reached') return [];
  if ('external' in event.verdict) {
    const { kind, external } = event.verdict;
    return [fact('verdict', `${verdictNames[kind]}: the external path ${externalCountWords(kind, external)}`)];
  }
  const { kind, expired, candidates } = event.verdict;
  return [fact('verdict', `${verdictNames[kind]}: ${expired} of ${candidates} candidates expired`)];
}

/** Which nodes were silent for longest, against how long they may be. */
function silenceFacts(context: ShootContext): readonly Fact[] {
  const { seen } = context;
  if (seen === null) return [];
  const { grace } = leasePolicy(context);
  const { leases, askedAt, nonCandidates } = seen;
  const expired = accountExpired(leases, nonCandidates, { askedAt, grace });
  const left = new Set(nonCandidates);
  const readable = leases.flatMap(({ node, renewedAt }) =>
    renewedAt === null || left.has(node) ? [] : [{ node, silent: askedAt - renewedAt }],
  );
  const oldest = readable.toSorted((one, other) => other.silent - one.silent)[0];
  const limit = `${seconds(expiryFraction * grace)} without renewal, ${percent(expiryFraction)} of the grace of ${seconds(grace)}`;
  return [
    fact(
      'silent longest',
      expired.count > 0
        ? silentWords(expired)
        : oldest === undefined
          ? 'none'
          : `${shortened(oldest.node)} for ${seconds(oldest.silent)}`,
    ),
    fact('threshold', limit),
    ...(nonCandidates.length === 0 ? [] : [fact('left out', namesWords(nonCandidates))]),
  ];
}

/** How many verdicts of one direction there were in a row (SPEC 2). */
export function streakFact({ streak, config }: ShootContext, of: 'cutOff' | 'connected'): Fact {
  const needed = of === 'cutOff' ? config.failureThreshold : config.successThreshold;
  const count = streak.of === of ? streak.count : 0;
  return fact('verdicts in a row', `${count} ${verdictNames[of]}, ${needed} needed`);
}

/** What a flow with this aim would have to do, dependant by dependant (SPEC 6.2). */
export function dueFacts(context: ShootContext, aim: Aim): readonly Fact[] {
  const aims = { down: 'down', upAll: 'up, whatever stands at 0', upOurs: 'up, only what carries our mark' };
  return [
    fact('aim', aims[aim]),
    ...context.config.dependants.map((one) => fact(shortName(one.key), dueWords(context, one, aim))),
  ];
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
    : `due: ${changeWords('', view.replicas, change).replaceAll('  ', ' ').trim()}`;
}

/** Which probe an event answers, and which one is under way (SPEC 4.3). */
export function currentFacts({
  context,
  event,
}: Readonly<{ context: ShootContext; event: MachineEvent }>): readonly Fact[] {
  if (!('number' in event)) return probeUnderWay(context);
  const lostAt = probeLostAt(context);
  const isOver = lostAt !== undefined && event.at >= lostAt;
  return [
    fact('answers', `probe ${event.number}`),
    ...probeUnderWay(context),
    ...(isOver ? [instantFact('given up', lostAt, event.at)] : []),
  ];
}

export function probeUnderWay({ probe }: ShootContext): readonly Fact[] {
  return [fact('under way', probe.asked === null ? 'no probe' : `probe ${probe.asked.number}`)];
}

/** When the next probe is due, and whether the shoot is left alone until then (SPEC 4.5, 4.9). */
export function dueProbeFacts(context: ShootContext, now: Instant): readonly Fact[] {
  const { heldUntil } = context.probe;
  return [
    instantFact('due', probeDueAt(context), now),
    ...(heldUntil === null ? [] : [instantFact('left alone until', heldUntil, now)]),
  ];
}

/** By what leases are judged, before and after (SPEC 3.3). */
export function policyFacts({ cluster, config }: ShootContext, event: MachineEvent): readonly Fact[] {
  if (event.type !== 'cluster.changed') return [];
  if (!event.reading.readable) return [fact('Cluster', 'cannot be read')];
  if (cluster === null) return [fact('before', 'no Cluster was seen')];
  const words = (of: ClusterView) =>
    `grace ${seconds(leasePolicyOf(of, config).grace)}; ${of.workers.map(({ name, nodeConditions }) => `${name}: ${nodeConditions?.join(', ') ?? 'default conditions'}`).join('; ')}`;
  return [fact('before', words(cluster)), fact('after', words(event.reading.cluster))];
}

/** Whether nodes and Machines can change what follows from the answer (SPEC 5.4). */
export function lookFacts(context: ShootContext, event: MachineEvent): readonly Fact[] {
  if (event.type !== 'probe.answered' || !isCurrentProbe(context, event)) return [];
  const now = recordAnswer(context, event);
  const { leases, askedAt, lookedAt, nonCandidates } = now.seen;
  const policy = leasePolicy(now);
  const expired = leases.filter((lease) => isExpired(lease, askedAt, policy.grace)).map(({ node }) => node);
  const crossing = crossingAfter(askedAt, leases, nonCandidates, policy);
  return [
    fact('expired', `${expired.length} of ${counted(leases.length, 'lease')}: ${namesWords(expired)}`),
    yesOrNo('anything may be down', mayBeScaledDown(now)),
    yesOrNo('anything could go down', isAnythingDue(now, 'down')),
    fact('stream of Clusters', now.clusterLive ? 'live' : 'out'),
    lookedAt === null
      ? fact('last look', 'none that tells of every lease')
      : instantFact('last look', lookedAt, askedAt),
    ...(crossing === undefined ? [] : [instantFact('could be cut off', crossing, askedAt)]),
  ];
}
