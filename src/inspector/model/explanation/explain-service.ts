import type { WeederLanguage } from '../../../machines/kinds.ts';
import { weederMachine } from '../../../machines/weeder.ts';
import type { Explainer, Fact } from './explanation.ts';
import { guardWordsIn, fact, instantFact, namesWords, type GuardWords } from './facts.ts';
import { tracedMachine } from './traced-machine.ts';
import { counted, seconds } from '../../../adapters/words/plain-words.ts';
import { askedNumbers, duePods } from '../../../domain/weeder/pod-ledger.ts';
import { joined, type Slices } from '../../../domain/weeder/service-slices.ts';
import type { Instant } from '../../../domain/time.ts';
import type { WeederContext } from '../../../machines/weeder-context.ts';
import { mayGo, mostDeletions } from '../../../machines/weeding.ts';
import type { weederGuards } from '../../../machines/weeder-guards.ts';
import type { WeederEvent } from '../../../machines/weeder-language.ts';

/** How a service stands after the turn, and which of its pods go (SPEC 7.2, 7.3). */
function weederFacts(context: WeederContext, at: Instant): readonly Fact[] {
  const { slices, window, pods } = context;
  const { ready, endpoints } = joined(slices);
  const crashing = pods.filter(({ crashLooping }) => crashLooping).map(({ pod }) => pod.name);
  const done = pods.filter(({ deletion }) => deletion.step === 'done');
  return [
    fact('ready', `${ready} of ${counted(endpoints, 'endpoint')}`),
    instantFact('window ends', window?.endsAt, at),
    ...(window === null && pods.length === 0
      ? []
      : [
          fact('in CrashLoopBackOff', `${crashing.length}: ${namesWords(crashing)}`),
          fact('deletions under way', `${askedNumbers(pods).length} of at most ${mostDeletions}`),
          fact('waiting for their turn', String(duePods(pods, at, mayGo(context)).length)),
          fact('need no deletion any more', String(done.length)),
        ]),
  ];
}

type Args = Readonly<{ context: WeederContext; event: WeederEvent }>;

/** What each guard of the weeder's machine asks, and what it sees. */
export const weederGuardWords: Readonly<Record<keyof typeof weederGuards, GuardWords<WeederContext, WeederEvent>>> = {
  isAvailable: { question: 'Is the service available?', rules: ['7.1'], saw: readyFacts },
  isDown: { question: 'Is the service down?', rules: ['7.1'], saw: readyFacts },
  mayHaveFailed: {
    question: 'May it have been down while nobody looked?',
    rules: ['7.2'],
    saw: (args) => [...readyFacts(args), ...gapFacts(args)],
  },
  isWindowOver: {
    question: 'Is the window over?',
    rules: ['7.2'],
    saw: ({ context, event }) => [instantFact('window ends', context.window?.endsAt, event.at)],
  },
};

function readyFacts({ context, event }: Args): readonly Fact[] {
  if (event.type !== 'slices.changed') return [];
  return [fact('ready', readyWords(event.slices)), fact('ready before', readyWords(context.slices))];
}

function readyWords(slices: Slices): string {
  const { ready, endpoints } = joined(slices);
  return `${ready} of ${endpoints} endpoints`;
}

function gapFacts({ context, event }: Args): readonly Fact[] {
  if (event.type !== 'slices.changed') return [];
  const { gap, at, slices } = event;
  if (gap === undefined) return [fact('gap', 'none: every change was seen')];
  const same = joined(context.slices).readyHash === joined(slices).readyHash;
  return [
    fact('gap', gap.rewound === true ? 'the seed’s history went back' : `${seconds(at - gap.since)} were not seen`),
    fact('ready endpoints', same ? 'the same as before' : 'others than before'),
  ];
}

/** How the weeder's turns are explained. */
export const serviceExplainer: Explainer<WeederLanguage> = {
  trace: tracedMachine<WeederLanguage>(weederMachine),
  decides: () => true,
  words: guardWordsIn(weederGuardWords),
  decision: ({ at }, { after }) => weederFacts(after.context, at),
  leases: () => ({ leases: [], leftOut: 0 }),
};
