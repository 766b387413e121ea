import { seconds } from '../../adapters/words/plain-words.ts';
import { joined, type Slices } from '../../domain/weeder/service-slices.ts';
import type { WeederContext } from '../../machines/weeder-context.ts';
import type { weederGuards } from '../../machines/weeder-guards.ts';
import type { WeederEvent } from '../../machines/weeder-language.ts';
import type { Fact } from './explanation.ts';
import { fact, instantFact } from './guard-facts.ts';
import type { GuardWords } from './guard-words.ts';

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
