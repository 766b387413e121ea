import { counted } from '../../adapters/words/plain-words.ts';
import { askedNumbers, duePods } from '../../domain/weeder/pod-ledger.ts';
import { joined } from '../../domain/weeder/service-slices.ts';
import type { Instant } from '../../domain/time.ts';
import type { WeederContext } from '../../machines/weeder-context.ts';
import { mayGo, mostDeletions } from '../../machines/weeding.ts';
import type { Fact } from './explanation.ts';
import { fact, instantFact, namesWords } from './guard-facts.ts';

/** How a service stands after the turn, and which of its pods go (SPEC 7.2, 7.3). */
export function weederFacts(context: WeederContext, at: Instant): readonly Fact[] {
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
