import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import { asks, fact, instantFact, namesWords, type Explainer, type Fact, type GuardArgs } from './explanation.ts';
import { tracedMachine } from './traced-machine.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { askedNumbers, duePods, unselectedIn } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import { joined, type Slices } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederContext } from 'dependency-watchdog/machines/weeder-context.ts';
import { mayGo, mostDeletions, type weederGuards } from 'dependency-watchdog/machines/weeder-window.ts';
import type { WeederEvent } from 'dependency-watchdog/machines/weeder-language.ts';

type Args = GuardArgs<WeederContext, WeederEvent>;

/** How the weeder's turns are explained. */
export const serviceExplainer = {
  trace: tracedMachine<WeederLanguage>(weederMachine),
  decides: () => true,
  guards: {
    isAvailable: asks('Is the service available?', ['7.1'], readyFacts),
    isDown: asks('Is the service down?', ['7.1'], readyFacts),
    mayHaveFailed: asks('May it have been down while nobody looked?', ['7.2'], readyFacts, gapFacts),
    isWindowOver: asks('Is the window over?', ['7.2'], ({ context, event }: Args) => [
      instantFact('window ends', context.window?.endsAt, event.at),
    ]),
  } satisfies Record<keyof typeof weederGuards, unknown>,
  decision: ({ at }, { after }) => weederFacts(after.context, at),
  leases: () => ({ leases: [], leftOut: 0 }),
} satisfies Explainer<WeederLanguage>;

/** How a service stands after the turn, and which of its pods go (SPEC 7.2, 7.3). */
function weederFacts(context: WeederContext, at: Instant): readonly Fact[] {
  const { slices, window, pods } = context;
  const { ready, endpoints } = joined(slices);
  const crashing = pods.filter(({ waits }) => waits !== undefined).map(({ pod }) => pod.name);
  const unselected = unselectedIn(pods);
  const done = pods.filter(({ deletion }) => deletion.step === 'done');
  return [
    fact('ready', `${ready} of ${counted(endpoints, 'endpoint')}`),
    instantFact('window ends', window?.endsAt, at),
    ...(window === null && pods.length === 0
      ? []
      : [
          fact('crash-looping', `${crashing.length}: ${namesWords(crashing)}`),
          fact('deletions under way', `${askedNumbers(pods).length} of at most ${mostDeletions}`),
          fact('waiting for their turn', String(duePods(pods, at, mayGo(context)).length)),
          fact('need no deletion any more', String(done.length)),
          ...(unselected.count === 0
            ? []
            : [fact('picked by no selector', `${unselected.count}: ${namesWords(unselected.names)}`)]),
        ]),
  ];
}

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
