import type { Instant } from '../../../domain/time.ts';
import type { DeletionAnswer } from '../../../domain/weeder/pod-ledger.ts';
import type { PodView, Waits } from '../../../domain/weeder/pod.ts';
import { joined, type Slices } from '../../../domain/weeder/service-slices.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederCommands, WeederEvent, WeederNote } from '../../../machines/weeder-language.ts';
import { endedWords, counted, seconds } from '../../words/plain-words.ts';

/** An event as an operator would tell it, without time and service: `pod kcm-1 seen: kube-controller-manager in CrashLoopBackOff`. */
export function weederEventWords(event: WeederTurn['event']): string {
  switch (event.type) {
    case 'started':
      return 'started';
    case 'ended':
      return endedWords(event, 'the service', weederEventWords);
    case 'slices.changed':
      return `EndpointSlices seen${gapWords(event)}: ${slicesWords(event.slices)}`;
    case 'service.gone':
      return 'the last EndpointSlice is gone';
    case 'woken':
      return 'woken';
    case 'pod.changed':
      return `pod ${event.pod.name} seen: ${podWords(event.pod)}`;
    case 'pod.gone':
      return `pod ${event.pod.name} gone`;
    case 'deletion.answered':
      return `deletion ${event.asked.number} of pod ${event.asked.pod.name}${answerWords(event.answer)}`;
  }
}

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
  const who = containers.join(', ') || 'a container';
  switch (because) {
    case 'CrashLoopBackOff':
      return `${who} in CrashLoopBackOff`;
    case 'endedAgain':
      return `${who} has ended again, and waits`;
  }
}

function answerWords(answer: DeletionAnswer): string {
  switch (answer.outcome) {
    case 'deleted':
      return ' done';
    case 'gone':
    case 'replaced':
    case 'deletedBefore':
    case 'withdrawn':
      return `: ${undeletedWords[answer.outcome]}`;
    case 'throttled':
      return ` throttled${answer.retryAfter === undefined ? '' : `, for ${seconds(answer.retryAfter)}`}`;
    case 'failed':
      return ` failed: ${answer.reason}: ${whyNotDeleted(answer)}`;
  }
}

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
  switch (answer.outcome) {
    case 'deleted':
      return `deleted ${who}: ${waitWords(waits)}`;
    case 'gone':
    case 'replaced':
    case 'deletedBefore':
    case 'withdrawn':
      return `did not delete ${who}: ${undeletedWords[answer.outcome]}`;
    case 'throttled':
    case 'failed':
      return `could not delete ${who}: ${whyNotDeleted(answer)}`;
  }
}

/** A note as an operator would tell it: `window closed: 3 pods deleted, none left`. `at`: the turn's. */
export function weederNoteWords(note: WeederNote, at: Instant): string {
  switch (note.kind) {
    case 'windowOpened':
      return `window ${note.extended ? 'extended' : 'opened'}: ${seconds(note.endsAt - at)} from now on`;
    case 'windowClosed': {
      const left = note.left === 0 ? 'none' : note.left;
      return `window closed: ${counted(note.deleted, 'pod')} deleted, ${left} left crash-looping${unselectedWords(note)}`;
    }
    case 'podSpared':
      return `pod ${note.pod.name} is left alone: ${sparedWords(note, at)}`;
    case 'deletionHeld':
      return `pod ${note.pod.name} has to wait: as many deletions as are allowed are under way`;
  }
}

/** `; 12 crash-looping pods that no selector picks: a, b and 10 more`; empty where there are none. */
export function unselectedWords({ unselected }: Extract<WeederNote, { kind: 'windowClosed' }>): string {
  if (unselected === undefined) return '';
  const { count, names } = unselected;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `; ${counted(count, 'crash-looping pod')} that no selector picks: ${names.join(', ')}${more}`;
}

/** Why a pod that crash-loops does not go. */
export function sparedWords(note: Extract<WeederNote, { kind: 'podSpared' }>, at: Instant): string {
  switch (note.because) {
    case 'mirror':
      return 'the kubelet makes it from a file, and to delete it restarts nothing';
    case 'noController':
      return 'nothing controls it, so nobody would make another one';
    case 'unselected':
      return 'no selector of the configuration picks it';
    case 'pause':
      return `its predecessor was deleted already, so it crashes for a reason of its own; the next pods of its owner go in ${seconds(note.until - at)}`;
  }
}

/** A command as an operator would tell it: `delete pod etcd-main-0 (deletion 3)`. `at`: the turn's. */
export function weederCommandWords(command: WeederTurn['commands'][number], at: Instant): string {
  switch (command.type) {
    case 'wake':
      return `wake in ${seconds(command.params.at - at)}`;
    case 'watchPods':
      return `watch pods by ${command.params.selectors.map((selector) => `"${selector}"`).join(', ')} (watch ${command.params.number})`;
    case 'listPods':
      return `list pods again (watch ${command.params.number})`;
    case 'leavePods':
      return `end watch ${command.params.number}`;
    case 'deletePod':
      return `delete pod ${command.params.pod.name} (deletion ${command.params.number})`;
    case 'withdraw':
      return `withdraw deletion ${command.params.number}`;
  }
}
