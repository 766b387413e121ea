import type { DeletionAnswer } from '../../../domain/weeder/pod-ledger.ts';
import { serviceOf, type ServiceKey } from '../../../domain/weeder/service-ref.ts';
import { joined } from '../../../domain/weeder/service-slices.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederNote, WeederState } from '../../../machines/weeder-language.ts';
import { counted, seconds } from '../../words/plain-words.ts';
import { unselectedWords } from '../words/weeder-words.ts';

/** `kube-apiserver of shoot--dev--one`. */
export function serviceWords(key: ServiceKey): string {
  const { namespace, service } = serviceOf(key);
  return `${service} of ${namespace}`;
}

/** What is said of an available service, by the state that it comes from. */
const availableWords = {
  down: 'is available',
  relapsed: 'is available again',
  recovering: 'is available',
  settled: 'is available, and may have been down while its EndpointSlices were not seen',
} as const satisfies Record<WeederState, string>;

/** A service that is in another state than before, as a sentence that stands alone. */
export function stateSentence({ subject, from, to, event, notes, at }: WeederTurn): string {
  const service = serviceWords(subject);
  const closed = notes.find((note) => note.kind === 'windowClosed');
  const opened = notes.find((note) => note.kind === 'windowOpened');
  const ready = event.type === 'slices.changed' ? `, ${readyWords(joined(event.slices))}` : '';
  switch (to) {
    case 'recovering': {
      const window = opened === undefined ? '' : ` for ${seconds(opened.endsAt - at)}`;
      return `${service} ${availableWords[from ?? 'down']}${ready}: crash-looping pods are deleted${window}`;
    }
    case 'relapsed':
      return `${service} is down again${ready}: no pod is deleted until it is back`;
    case 'settled':
      return `the window of ${service} is over: ${closedWords(closed)}`;
    case 'down':
      if (event.type === 'service.gone') return `${service} is gone: it has no EndpointSlice any more`;
      return closed === undefined
        ? `${service} is down${ready}`
        : `${service} is still down, and its window is over: ${closedWords(closed)}`;
  }
}

function readyWords({ ready, endpoints }: Readonly<{ ready: number; endpoints: number }>): string {
  return `${ready} of ${counted(endpoints, 'endpoint')} ready`;
}

function closedWords(closed: Extract<WeederNote, { kind: 'windowClosed' }> | undefined): string {
  if (closed === undefined) return 'no pod had to be deleted';
  const missed = unselectedWords(closed);
  if (closed.deleted === 0 && closed.left === 0) return `no pod had to be deleted${missed}`;
  const left = closed.left === 0 ? 'none is' : closed.left === 1 ? '1 is' : `${closed.left} are`;
  return `${counted(closed.deleted, 'pod')} deleted, ${left} left crash-looping${missed}`;
}

/** Why a deletion that was not refused came to nothing. */
export const nothingWords: Readonly<
  Record<Exclude<DeletionAnswer['outcome'], 'deleted' | 'throttled' | 'failed'>, string>
> = {
  gone: 'it is gone already',
  replaced: 'another pod has its name',
  deletedBefore: 'it was deleted for another service before',
  withdrawn: 'the deletion was taken back before it was sent',
};
