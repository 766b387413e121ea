import { mayBeScaledDown, type MachineEvent, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import { isCurrentProbe, probeLostAt } from 'dependency-watchdog/machines/probe-under-way.ts';
import { recheckAt } from 'dependency-watchdog/machines/dependants.ts';
import type { shootGuards } from 'dependency-watchdog/machines/shoot-guards.ts';
import { flowFacts } from './explain-verdict.ts';
import { asks, fact, instantFact, yesOrNo, type Fact, type GuardWords } from './explanation.ts';
import {
  currentFacts,
  dueFacts,
  dueProbeFacts,
  lifecycleFacts,
  lookFacts,
  pathFacts,
  policyFacts,
  probeUnderWay,
  slownessFacts,
  streakFacts,
  streamFact,
  verdictFact,
  verdictFacts,
  type ShootArgs,
} from './shoot-guard-facts.ts';

/** What each guard of the shoot's machine asks, and what it sees. */
export const shootGuardWords: Readonly<Record<keyof typeof shootGuards, GuardWords<ShootContext, MachineEvent>>> = {
  mayStart: asks('May probing start?', ['3.2', '3.4'], clusterFacts, ({ context }) => [
    yesOrNo('cut short by a Cluster that could not be read', context.pause?.interrupted === true),
  ]),
  mustStop: asks('Must probing stop?', ['3.1', '3.4'], clusterFacts),
  showsGone: asks('Does the answer show that the Cluster is gone?', ['3.1', '3.5'], askedCluster),
  showsRest: asks('Does the answer show that probing must stop?', ['3.1', '3.5'], askedCluster),
  showsCluster: asks('Does the answer show the Cluster?', ['3.5'], askedCluster),
  isRecheckDue: asks('Must what is believed to be at 0 be read again?', ['6.6'], ({ context, event }) => [
    instantFact('due', recheckAt(context), event.at),
  ]),
  changesPolicy: asks('Are the leases judged by other rules from now on?', ['3.3'], policyFacts),
  isProbeDue: asks('Is the next probe due?', ['4.5', '4.6'], dueProbeFacts),
  isProbeLost: asks(
    'Is it too late for an answer of the probe?',
    ['4.3', '4.4'],
    probeUnderWay,
    ({ context, event }) => [
      instantFact('deadline', context.probe.asked?.deadlineAt, event.at),
      instantFact('lost', probeLostAt(context), event.at),
    ],
  ),
  isCurrent: asks('Does it answer the probe that is under way?', ['4.3', 'S1'], currentFacts),
  isCurrentAndNoRest: asks(
    'Does it answer the probe that is under way, and may probing go on?',
    ['3.5', '5.2', 'S1'],
    currentFacts,
    askedCluster,
  ),
  isCurrentAndMustLook: asks(
    'Does it answer the probe that is under way, and must nodes and Machines be asked for?',
    ['3.5', '5.4', 'S1'],
    currentFacts,
    lookFacts,
  ),
  isCutOff: asks('Is the shoot cut off?', ['4.9', '5.1', '5.3'], verdictFacts),
  verdictMeetsFailureThreshold: asks(
    'Is the shoot cut off, and often enough in a row?',
    ['2', '5.3', '6.3'],
    verdictFacts,
    streakFacts('cutOff'),
  ),
  failureThresholdMet: asks('Was it cut off often enough in a row?', ['2'], streakFacts('cutOff')),
  isScaleDownDue: asks(
    'Is the shoot cut off, and must anything go down again?',
    ['5.3', '6.2', '6.9'],
    verdictFacts,
    streakFacts('cutOff'),
    dueFacts('down'),
  ),
  isConnected: asks('Is the shoot not cut off any more?', ['5.3'], verdictFact),
  verdictMeetsSuccessThreshold: asks(
    'Is the shoot connected, and often enough in a row?',
    ['2', '5.3'],
    verdictFact,
    streakFacts('connected'),
  ),
  isScaleUpDue: asks(
    'Is the shoot connected, and must anything go up?',
    ['2', '5.3', '6.2', '6.5'],
    verdictFact,
    streakFacts('connected'),
    dueFacts('up'),
  ),
  isFlowFinished: asks('Is every dependant where it is to be?', ['6.1', '6.8'], ({ context, event }) =>
    flowFacts(context, event.at),
  ),
  // What only a shoot with two paths comes to (SPEC 4.9).
  isPathProbeDue: asks(
    'Is the next probe due, and has the shoot two paths?',
    ['4.5', '4.6', '4.9'],
    ({ context }) => [yesOrNo('has two paths', context.paths !== undefined)],
    dueProbeFacts,
  ),
  hasInternalFailed: asks('Did the internal path give no answer?', ['4.9', 'S1'], pathFacts('internal')),
  mustAskExternal: asks('Must the external path be asked now?', ['4.9'], pathFacts('internal', 'external')),
  isOtherPathAwaited: asks(
    'Is the answer of the other path still to come?',
    ['4.9'],
    pathFacts('internal', 'external'),
  ),
  isExternalUntold: asks(
    'Does nothing tell whether the external path carries?',
    ['4.9', 'S1'],
    pathFacts('external'),
    slownessFacts,
  ),
  mustReadCluster: asks(
    'Must the Cluster be read before anything follows?',
    ['3.5', '4.9'],
    ({ context }) => [streamFact(context)],
    pathFacts('external'),
    ({ context }) => [yesOrNo('anything may be down', mayBeScaledDown(context))],
  ),
  haveBothTold: asks('Have both paths told?', ['4.9', 'S1'], pathFacts('internal', 'external')),
};

function clusterFacts({ event }: ShootArgs): readonly Fact[] {
  return event.type === 'cluster.changed' ? lifecycleFacts(event.reading) : [];
}

/** What a GET told of the Cluster, as part of a look or by itself. */
function askedCluster({ context, event }: ShootArgs): readonly Fact[] {
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return [];
  if (!isCurrentProbe(context, event)) return [fact('Cluster', 'the answer comes too late to count')];
  if (context.probe.asked?.cluster === 'overtaken')
    return [fact('Cluster', 'the stream has told of it since it was asked for')];
  switch (event.cluster?.outcome) {
    case undefined:
      return [fact('Cluster', 'not asked for: its stream is live, and nothing is at 0 but by our hand')];
    case 'gone':
      return [fact('Cluster', 'gone')];
    case 'failed':
      return [fact('Cluster', `not answered: ${event.cluster.detail}`)];
    case 'read':
      return lifecycleFacts(event.cluster.reading);
  }
}
