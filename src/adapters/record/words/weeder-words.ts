import type { Instant } from '../../../domain/time.ts';
import type { DeletionAnswer } from '../../../domain/weeder/pod-ledger.ts';
import type { PodView, Waits } from '../../../domain/weeder/pod.ts';
import { joined, type Slices } from '../../../domain/weeder/service-slices.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederCommands, WeederEvent, WeederNote } from '../../../machines/weeder-language.ts';
import { counted, endedWords, seconds, wordsBy } from '../../words/plain-words.ts';

/** An event as an operator would tell it, without time and service: `pod kcm-1 seen: kube-controller-manager in CrashLoopBackOff`. */
export const weederEventWords: (event: WeederTurn['event']) => string = wordsBy<'type', WeederTurn['event']>('type', {
  started: () => 'started',
  ended: (event) => endedWords(event, 'the service', weederEventWords),
  'slices.changed': (event) => `EndpointSlices seen${gapWords(event)}: ${slicesWords(event.slices)}`,
  'service.gone': () => 'the last EndpointSlice is gone',
  woken: () => 'its wait is over',
  'pod.changed': ({ pod }) => `pod ${pod.name} seen: ${podWords(pod)}`,
  'pod.gone': ({ pod }) => `pod ${pod.name} gone`,
  'deletion.answered': ({ asked, answer }) => `deletion ${asked.number} of pod ${asked.pod.name}${answerWords(answer)}`,
});

function gapWords({ gap, at }: Extract<WeederEvent, { type: 'slices.changed' }>): string {
  if (gap === undefined) return '';
  return gap.rewound ? ' in a restored seed' : ` for the first time in ${seconds(at - gap.since)}`;
}

function slicesWords(slices: Slices): string {
  const { length } = Object.keys(slices);
  return `${readyWords(joined(slices))}${length === 1 ? '' : ` in ${length} slices`}`;
}

/** `1 of 2 endpoints ready`. */
export function readyWords({ ready, endpoints }: Readonly<{ ready: number; endpoints: number }>): string {
  return `${ready} of ${counted(endpoints, 'endpoint')} ready`;
}

function podWords(pod: PodView): string {
  switch (pod.state) {
    case 'waiting':
      return waitWords(pod.waits);
    case 'ending':
      return 'being deleted';
    case 'fine':
      return 'no longer crash-looping';
  }
}

/** Which containers wait, and for what: `kube-controller-manager in CrashLoopBackOff`. */
export function waitWords({ because, containers }: Waits): string {
  const waits = { CrashLoopBackOff: 'in CrashLoopBackOff', endedAgain: 'has ended again, and waits' };
  return `${containers.join(', ') || 'a container'} ${waits[because]}`;
}

const undeleted = ({ outcome }: Readonly<{ outcome: keyof typeof undeletedWords }>) => `: ${undeletedWords[outcome]}`;

const answerWords = wordsBy<'outcome', DeletionAnswer>('outcome', {
  deleted: () => ' done',
  gone: undeleted,
  replaced: undeleted,
  deletedBefore: undeleted,
  withdrawn: undeleted,
  throttled: ({ retryAfter }) => ` throttled${retryAfter === undefined ? '' : `, for ${seconds(retryAfter)}`}`,
  failed: (answer) => ` failed: ${answer.reason}: ${whyNotDeleted(answer)}`,
});

/** Why a deletion that was not refused came to nothing. */
const undeletedWords = {
  gone: 'it is gone already',
  replaced: 'another pod has its name',
  deletedBefore: 'it was deleted for another service before',
  withdrawn: 'the deletion was taken back before it was sent',
};

/** Why a deletion has to be tried again; undefined where it was done, or nobody wants it as it was. */
export function whyNotDeleted(answer: DeletionAnswer): string | undefined {
  if (answer.outcome === 'failed') return answer.detail;
  return answer.outcome === 'throttled' ? '429, too many requests' : undefined;
}

/** What became of a pod, as a sentence: `deleted pod kcm-1 of shoot--a: kube-controller-manager in CrashLoopBackOff`. */
export function deletionWords(
  { pod, waits }: WeederCommands['deletePod'],
  answer: DeletionAnswer,
  namespace?: string,
): string {
  const who = `pod ${pod.name}${namespace === undefined ? '' : ` of ${namespace}`}`;
  if (answer.outcome === 'deleted') return `deleted ${who}: ${waitWords(waits)}`;
  const why = whyNotDeleted(answer);
  return why === undefined ? `did not delete ${who}${answerWords(answer)}` : `could not delete ${who}: ${why}`;
}

/** A note as an operator would tell it: `window closed: 3 pods deleted, none left`. `at`: the turn's. */
export const weederNoteWords = wordsBy<'kind', WeederNote, [at: Instant]>('kind', {
  windowOpened: ({ extended, endsAt }, at) =>
    `window ${extended ? 'extended' : 'opened'}: ${seconds(endsAt - at)} from now on`,
  windowClosed: (note) =>
    `window closed: ${counted(note.deleted, 'pod')} deleted, ${note.left === 0 ? 'none' : note.left} left crash-looping${unselectedWords(note)}`,
  podSpared: (note, at) => `pod ${note.pod.name} is left alone: ${sparedWords(note, at)}`,
  deletionHeld: ({ pod }) => `pod ${pod.name} has to wait: as many deletions as are allowed are under way`,
});

/** `; 12 crash-looping pods that no selector picks: a, b and 10 more`; empty where there are none. */
export function unselectedWords({ unselected }: Extract<WeederNote, { kind: 'windowClosed' }>): string {
  if (unselected === undefined) return '';
  const { count, names } = unselected;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `; ${counted(count, 'crash-looping pod')} that no selector picks: ${names.join(', ')}${more}`;
}

/** Why a pod that crash-loops does not go. */
export const sparedWords = wordsBy<'because', Extract<WeederNote, { kind: 'podSpared' }>, [at: Instant]>('because', {
  mirror: () => 'the kubelet makes it from a file, and to delete it restarts nothing',
  noController: () => 'nothing controls it, so nobody would make another one',
  unselected: () => 'no selector of the configuration picks it',
  pause: ({ until }, at) =>
    `its predecessor was deleted already, so it crashes for a reason of its own; the next pods of its owner go in ${seconds(until - at)}`,
});

/** A command as an operator would tell it: `delete pod etcd-main-0 (deletion 3)`. `at`: the turn's. */
export const weederCommandWords = wordsBy<'type', WeederTurn['commands'][number], [at: Instant]>('type', {
  wake: ({ params }, at) => `wait ${seconds(params.at - at)}`,
  watchPods: ({ params }) =>
    `watch pods by ${params.selectors.map((selector) => `"${selector}"`).join(', ')} (watch ${params.number})`,
  listPods: ({ params }) => `list pods again (watch ${params.number})`,
  leavePods: ({ params }) => `end watch ${params.number}`,
  deletePod: ({ params }) => `delete pod ${params.pod.name} (deletion ${params.number})`,
  withdraw: ({ params }) => `withdraw deletion ${params.number}`,
});
