import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { weederMachine } from 'dependency-watchdog/machines/weeder.ts';
import {
  asks,
  fact,
  instantFact,
  namesWords,
  type Condition,
  type Explainer,
  type Fact,
  type GuardArgs,
} from './explanation.ts';
import type { Rule } from './rules.ts';
import type { Trace } from './traced-machine.ts';
import type { PlainOf } from 'dependency-watchdog/machines/pure-machine.ts';
import { sparedWords, waitWords } from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import { tracedMachine } from './traced-machine.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import {
  askedNumbers,
  duePods,
  podOf,
  unselectedIn,
  type KnownPod,
} from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import { joined, type Slices } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederContext } from 'dependency-watchdog/machines/weeder-context.ts';
import { mayGo, mostDeletions, type weederGuards } from 'dependency-watchdog/machines/weeder-window.ts';
import type { WeederEvent } from 'dependency-watchdog/machines/weeder-language.ts';

type Args = GuardArgs<WeederContext, WeederEvent>;
type Place = PlainOf<WeederLanguage>;

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
  conditions: deletionConditions,
  decision: (event, { after }) => weederFacts(after.context, event),
  leases: () => ({ leases: [], leftOut: 0 }),
} satisfies Explainer<WeederLanguage>;

/** How a service stands after the turn, and which of its pods go (SPEC 7.2, 7.3). */
function weederFacts(context: WeederContext, { type, at }: WeederEvent): readonly Fact[] {
  const { slices, window, pods } = context;
  const { ready, endpoints } = joined(slices);
  const crashing = pods.filter(({ waits }) => waits !== undefined).map(({ pod }) => pod.name);
  // The watch of a window that has just opened has shown nothing yet.
  const asks = type === 'slices.changed' && window?.number === context.numbered && pods.length === 0;
  const unselected = unselectedIn(pods);
  const done = pods.filter(({ deletion }) => deletion.step === 'done');
  return [
    fact('ready', `${ready} of ${counted(endpoints, 'endpoint')}`),
    instantFact('window ends', window?.endsAt, at),
    ...(window === null && pods.length === 0
      ? []
      : [
          fact(
            'crash-looping',
            asks ? 'not known yet: the pods are asked for now' : `${crashing.length}: ${namesWords(crashing)}`,
          ),
          fact('deletions under way', `${askedNumbers(pods).length} of at most ${mostDeletions}`),
          fact('waiting for their turn', String(duePods(pods, at, mayGo(context)).length)),
          fact('need no deletion any more', String(done.length)),
          ...(unselected.count === 0
            ? []
            : [fact('picked by no selector', `${unselected.count}: ${namesWords(unselected.names)}`)]),
        ]),
  ];
}

/** So many pods of one turn are told of one by one; a list may show hundreds at once. */
const mostPods = 3;

/** What is asked of each pod before it goes (SPEC 7.3): of those that the turn deletes, or else of the one that it heard of. */
function deletionConditions(event: WeederEvent, before: Place, { after }: Trace<WeederLanguage>): readonly Condition[] {
  const { pods } = after.context;
  const going = pods.filter(({ deletion }) => deletion.step === 'asked' && deletion.number > before.context.numbered);
  const heard = event.type === 'pod.changed' ? podOf(pods, event.pod.uid) : undefined;
  const those = going.length > 0 || heard === undefined ? going : [heard];
  return those.slice(0, mostPods).flatMap((pod) => podConditions(pod, event.at, before, after));
}

function podConditions(known: KnownPod, at: Instant, before: Place, { context, value }: Place): readonly Condition[] {
  const { pod, waits, origin, deletion } = known;
  const { window, slices, pods } = context;
  // Where this turn asked for it, it is told as it was before that.
  const goes = deletion.step === 'asked' && deletion.number > before.context.numbered;
  const earlier = goes ? (podOf(before.context.pods, pod.uid)?.deletion ?? untouched) : deletion;
  const until = mayGo({ ...context, window: before.context.window ?? window })(origin);
  const underWay = askedNumbers(pods).filter((number) => !goes || number < deletion.number).length;
  const spared =
    origin.spared === undefined ? undefined : ({ kind: 'podSpared', pod, because: origin.spared } as const);
  const ask = (guard: string, question: string, rules: readonly Rule[], answer: boolean, ...saw: Fact[]): Condition => {
    return { state: pod.name, event: '', index: 0, guard, question, rules, answer, saw, decides: goes };
  };
  return [
    ask(
      'crashLoops',
      `Does ${pod.name} crash-loop?`,
      ['7.3'],
      waits !== undefined,
      fact('its containers', waits === undefined ? 'not any more' : waitWords(waits)),
    ),
    ask(
      'isWindowOpen',
      'Is the window open?',
      ['7.2'],
      window !== null && at < window.endsAt,
      instantFact('window ends', window?.endsAt, at),
    ),
    ask('isUp', 'Is the service up?', ['7.2'], value === 'recovering', fact('ready', readyWords(slices))),
    ask(
      'isOurs',
      'Would its owner make a new one, and does a selector pick it?',
      ['7.3'],
      spared === undefined,
      fact('it is left alone', spared === undefined ? 'no' : sparedWords(spared, at)),
    ),
    ask(
      'isPauseOver',
      'Is the pause of its owner over?',
      ['7.3'],
      until <= at,
      until === -Infinity
        ? fact('pause', 'none: no pod that this one follows was deleted')
        : instantFact('it may go', until, at),
    ),
    ask(
      'isUntouched',
      'Has it not been deleted yet?',
      ['7.3', 'S8'],
      earlier.step === 'none' || (earlier.step === 'failed' && earlier.retryAt <= at),
      fact('its deletion', deletionStepWords(earlier, at)),
    ),
    ask(
      'hasRoom',
      'Is there room for one more deletion?',
      ['7.3'],
      underWay < mostDeletions,
      fact('under way', `${underWay} of at most ${mostDeletions}`),
    ),
  ];
}

const untouched: KnownPod['deletion'] = { step: 'none' };

function deletionStepWords(deletion: KnownPod['deletion'], at: Instant): string {
  switch (deletion.step) {
    case 'none':
      return 'not asked for';
    case 'asked':
      return `under way (deletion ${deletion.number})`;
    case 'failed':
      return `failed ${counted(deletion.failures, 'time')}, again ${deletion.retryAt <= at ? 'now' : `in ${seconds(deletion.retryAt - at)}`}`;
    case 'done':
      return 'done';
  }
}

function readyFacts({ context, event }: Args): readonly Fact[] {
  if (event.type !== 'slices.changed') return [];
  return [fact('ready', readyWords(event.slices)), fact('ready before', readyWords(context.slices))];
}

function readyWords(slices: Slices): string {
  const { ready, endpoints } = joined(slices);
  return `${ready} of ${counted(endpoints, 'endpoint')}`;
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
