import { seconds } from '../../../adapters/words/plain-words.ts';
import type { ShootPath } from '../../../domain/prober/shoot-path.ts';
import { isAwaitedPath, pathsAfter } from '../../../machines/asking-paths.ts';
import { mayBeScaledDown, type MachineEvent, type ShootContext } from '../../../machines/shoot-context.ts';
import type { shootGuards } from '../../../machines/shoot-guards.ts';
import type { Fact } from './explanation.ts';
import { fact, yesOrNo, pathStateWords, reasonWords, type GuardWords } from './facts.ts';
import { currentFacts, dueProbeFacts } from './shoot-guard-facts.ts';

type Args = Readonly<{ context: ShootContext; event: MachineEvent }>;
type Words = GuardWords<ShootContext, MachineEvent>;

/** What the guards ask that only a shoot with two paths comes to (SPEC 4.9), and what they see. */
export const pathGuardWords = {
  isPathProbeDue: {
    question: 'Is the next probe due, and has the shoot two paths?',
    rules: ['4.5', '4.6', '4.9'],
    saw: ({ context, event }) => [
      yesOrNo('has two paths', context.paths !== undefined),
      ...dueProbeFacts(context, event.at),
    ],
  },
  hasInternalFailed: {
    question: 'Did the internal path give no answer?',
    rules: ['4.9', 'S1'],
    saw: (args) => pathFacts(args, ['internal']),
  },
  mustAskExternal: {
    question: 'Must the external path be asked now?',
    rules: ['4.9'],
    saw: (args) => pathFacts(args, ['internal', 'external']),
  },
  isOtherPathAwaited: {
    question: 'Is the answer of the other path still to come?',
    rules: ['4.9'],
    saw: (args) => pathFacts(args, ['internal', 'external']),
  },
  isExternalUntold: {
    question: 'Does nothing tell whether the external path carries?',
    rules: ['4.9', 'S1'],
    saw: (args) => [...pathFacts(args, ['external']), ...slownessFacts(args)],
  },
  mustReadCluster: {
    question: 'Must the Cluster be read before anything follows?',
    rules: ['3.5', '4.9'],
    saw: (args) => [
      fact('stream of Clusters', args.context.clusterLive ? 'live' : 'out'),
      ...pathFacts(args, ['external']),
      yesOrNo('anything may be down', mayBeScaledDown(args.context)),
    ],
  },
  haveBothTold: {
    question: 'Have both paths told?',
    rules: ['4.9', 'S1'],
    saw: (args) => pathFacts(args, ['internal', 'external']),
  },
} as const satisfies Partial<Record<keyof typeof shootGuards, Words>>;

/** What these paths have told once the answer is in, and why. */
function pathFacts({ context, event }: Args, paths: readonly ShootPath[]): readonly Fact[] {
  if (event.type !== 'path.answered') return [];
  if (!isAwaitedPath(context, event))
    return [...currentFacts({ context, event }), fact(`${event.path} path`, 'nobody waits for its answer any more')];
  const told = pathsAfter(context, event);
  return paths.map((path) =>
    fact(`${path} path`, `${pathStateWords[told[path]]}${path === event.path ? reasonWords(event.failure) : ''}`),
  );
}

/** How long the internal path took to answer: where that was long, a time-out of the external one tells nothing (SPEC 4.9). */
function slownessFacts({ context, event }: Args): readonly Fact[] {
  const { asked } = context.probe;
  if (event.type !== 'path.answered' || asked === null || !isAwaitedPath(context, event)) return [];
  if (event.path === 'external')
    return event.failure?.reason === 'timeout' ? [yesOrNo(tookLong, context.paths?.internalSlow === true)] : [];
  const took = event.at - asked.askedAt;
  return [
    fact('internal path took', `${seconds(took)} of the ${seconds(asked.deadlineAt - asked.askedAt)} of the probe`),
  ];
}

const tookLong = 'internal path took more than half of the time';
