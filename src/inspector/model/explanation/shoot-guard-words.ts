import { isClusterAwaited } from '../../../machines/asking-paths.ts';
import type { MachineEvent, ShootContext } from '../../../machines/shoot-context.ts';
import { isCurrentProbe, probeLostAt } from '../../../machines/probing.ts';
import { recheckAt } from '../../../machines/rechecking.ts';
import type { shootGuards } from '../../../machines/shoot-guards.ts';
import type { Fact } from './explanation.ts';
import { flowFacts } from './explain-verdict.ts';
import { fact, instantFact, yesOrNo, type GuardWords } from './facts.ts';
import { pathGuardWords } from './path-guard-words.ts';
import {
  dueFacts,
  lifecycleFacts,
  streakFact,
  verdictFact,
  verdictFacts,
  lookFacts,
  policyFacts,
  currentFacts,
  dueProbeFacts,
  probeUnderWay,
} from './shoot-guard-facts.ts';

type Args = Readonly<{ context: ShootContext; event: MachineEvent }>;

/** What each guard of the shoot's machine asks, and what it sees. */
export const shootGuardWords: Readonly<Record<keyof typeof shootGuards, GuardWords<ShootContext, MachineEvent>>> = {
  ...pathGuardWords,
  mayStart: {
    question: 'May probing start?',
    rules: ['3.2', '3.4'],
    saw: ({ context, event }) => [
      ...clusterFacts(event),
      yesOrNo('cut short by a Cluster that could not be read', context.pause?.interrupted === true),
    ],
  },
  mustStop: { question: 'Must probing stop?', rules: ['3.1', '3.4'], saw: ({ event }) => clusterFacts(event) },
  showsGone: { question: 'Does the answer show that the Cluster is gone?', rules: ['3.1', '3.5'], saw: askedCluster },
  showsRest: { question: 'Does the answer show that probing must stop?', rules: ['3.1', '3.5'], saw: askedCluster },
  showsCluster: { question: 'Does the answer show the Cluster?', rules: ['3.5'], saw: askedCluster },
  isRecheckDue: {
    question: 'Must what is believed to be at 0 be read again?',
    rules: ['6.6'],
    saw: ({ context, event }) => [instantFact('due', recheckAt(context), event.at)],
  },
  changesPolicy: {
    question: 'Are the leases judged by other rules from now on?',
    rules: ['3.3'],
    saw: ({ context, event }) => policyFacts(context, event),
  },
  isProbeDue: {
    question: 'Is the next probe due?',
    rules: ['4.5', '4.6'],
    saw: ({ context, event }) => dueProbeFacts(context, event.at),
  },
  isProbeLost: {
    question: 'Is it too late for an answer of the probe?',
    rules: ['4.3', '4.4'],
    saw: ({ context, event }) => [
      ...probeUnderWay(context),
      instantFact('deadline', context.probe.asked?.deadlineAt, event.at),
      instantFact('lost', probeLostAt(context), event.at),
    ],
  },
  isCurrent: { question: 'Does it answer the probe that is under way?', rules: ['4.3', 'S1'], saw: currentFacts },
  isCurrentAndNoRest: {
    question: 'Does it answer the probe that is under way, and may probing go on?',
    rules: ['3.5', '5.2', 'S1'],
    saw: (args) => [...currentFacts(args), ...askedCluster(args)],
  },
  isCurrentAndMustLook: {
    question: 'Does it answer the probe that is under way, and must nodes and Machines be asked for?',
    rules: ['3.5', '5.4', 'S1'],
    saw: (args) => [...currentFacts(args), ...lookFacts(args.context, args.event)],
  },
  isCutOff: {
    question: 'Is the shoot cut off?',
    rules: ['4.9', '5.1', '5.3'],
    saw: ({ context, event }) => verdictFacts(context, event),
  },
  verdictMeetsFailureThreshold: {
    question: 'Is the shoot cut off, and often enough in a row?',
    rules: ['2', '5.3', '6.3'],
    saw: ({ context, event }) => [...verdictFacts(context, event), streakFact(context, 'cutOff')],
  },
  failureThresholdMet: {
    question: 'Was it cut off often enough in a row?',
    rules: ['2'],
    saw: ({ context }) => [streakFact(context, 'cutOff')],
  },
  isScaleDownDue: {
    question: 'Is the shoot cut off, and must anything go down again?',
    rules: ['5.3', '6.2', '6.9'],
    saw: ({ context, event }) => [
      ...verdictFacts(context, event),
      streakFact(context, 'cutOff'),
      ...(event.type === 'verdict.reached' && event.aim === 'down' ? dueFacts(context, 'down') : []),
    ],
  },
  isConnected: {
    question: 'Is the shoot not cut off any more?',
    rules: ['5.3'],
    saw: ({ event }) => verdictFact(event),
  },
  verdictMeetsSuccessThreshold: {
    question: 'Is the shoot connected, and often enough in a row?',
    rules: ['2', '5.3'],
    saw: ({ context, event }) => [...verdictFact(event), streakFact(context, 'connected')],
  },
  isScaleUpDue: {
    question: 'Is the shoot connected, and must anything go up?',
    rules: ['2', '5.3', '6.2', '6.5'],
    saw: ({ context, event }) => [
      ...verdictFact(event),
      streakFact(context, 'connected'),
      ...(event.type === 'verdict.reached' && event.aim !== 'down' ? dueFacts(context, event.aim) : []),
    ],
  },
  isFlowFinished: {
    question: 'Is every dependant where it is to be?',
    rules: ['6.1', '6.8'],
    saw: ({ context, event }) => flowFacts(context, event.at),
  },
};

function clusterFacts(event: MachineEvent): readonly Fact[] {
  return event.type === 'cluster.changed' ? lifecycleFacts(event.reading) : [];
}

/** What was told of the Cluster, by a look or by itself, while the stream of Clusters is out. */
function askedCluster({ context, event }: Args): readonly Fact[] {
  if (event.type !== 'candidates.answered' && event.type !== 'cluster.answered') return [];
  const isLate =
    event.type === 'cluster.answered' ? !isClusterAwaited(context, event) : !isCurrentProbe(context, event);
  if (isLate) return [fact('Cluster', 'the answer comes too late to count')];
  switch (event.cluster?.outcome) {
    case undefined:
      return [fact('Cluster', 'not asked for: its stream is live')];
    case 'gone':
      return [fact('Cluster', 'gone')];
    case 'failed':
      return [fact('Cluster', `not answered: ${event.cluster.detail}`)];
    case 'read':
      return lifecycleFacts(event.cluster.reading);
  }
}
