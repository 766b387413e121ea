import { seconds } from '../../adapters/words/plain-words.ts';
import { silentWords } from '../../adapters/words/lease-words.ts';
import { changeWords, shortName, viewWords } from '../../adapters/words/shoot-words.ts';
import type { ClusterReading } from '../../domain/prober/cluster-view.ts';
import { writesAtOnce, type Dependant } from '../../domain/prober/dependant.ts';
import { dueChange, type Aim } from '../../domain/prober/due-change.ts';
import { accountExpired } from '../../domain/prober/lease-account.ts';
import { judgeLifecycle } from '../../domain/prober/lifecycle.ts';
import type { PathVerdict } from '../../domain/prober/shoot-path.ts';
import { isUpToDate } from '../../domain/prober/scale-step.ts';
import { expiryFraction, neededFor } from '../../domain/prober/verdict.ts';
import type { Instant } from '../../domain/time.ts';
import { isAnythingDue } from '../../machines/shielding.ts';
import { leasePolicy, type MachineEvent, type ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { fact, instantFact, namesWords, percent, shortened } from './guard-facts.ts';
import { externalCountWords, judgedFacts } from './path-words.ts';

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
