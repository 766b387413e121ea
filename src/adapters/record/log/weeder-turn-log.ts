import { joined } from '../../../domain/weeder/service-slices.ts';
import { type ServiceKey, serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { PodRef } from '../../../domain/weeder/pod.ts';
import type { Instant } from '../../../domain/time.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederNote, WeederState } from '../../../machines/weeder-language.ts';
import { counted, instantText, seconds } from '../../words/plain-words.ts';
import type { Log, LogFields } from './log.ts';
import { openTroubles } from './troubles.ts';
import { deletionWords, readyWords, sparedWords, unselectedWords, whyNotDeleted } from '../words/weeder-words.ts';

/** `deletions`: they fail, until one succeeds or the window closes. `held`: pods have to wait for others' deletions. Else why pods do not go, in an open window. */
type ServiceTrouble = 'deletions' | 'held' | Extract<WeederNote, { kind: 'podSpared' }>['because'];

/** The lines of the weeder's turns (SPEC 9.4). */
export function weederTurnLog(log: Log): (turn: WeederTurn) => void {
  const troubles = openTroubles<ServiceTrouble>();

  return (turn) => {
    const { subject: service, event, from, to, notes } = turn;
    if (event.type === 'ended') {
      troubles.forget(service);
      return;
    }
    if (event.type === 'deletion.answered') tellAnswer(service, event);
    if (from !== undefined && from !== to) tellChange(turn);
    for (const note of notes) tellNote(turn, note);
  };

  /** A window opens and closes with a change of state only: its numbers go into the same line. */
  function tellChange(turn: WeederTurn): void {
    const { subject: service, from, to, event, notes } = turn;
    const left = notes.some((note) => note.kind === 'windowClosed' && note.left > 0);
    const fields = { line: 'state changed', ...serviceOf(service), from, to };
    log[left ? 'warn' : 'info'](
      stateSentence(turn),
      Object.assign(fields, endpointFields(event), ...notes.map((note) => windowFields(service, note))) as LogFields,
    );
  }

  function windowFields(service: ServiceKey, note: WeederNote): LogFields {
    if (note.kind === 'windowOpened')
      return { window: note.extended ? 'extended' : 'opened', windowEndsAt: instantText(note.endsAt) };
    if (note.kind !== 'windowClosed') return {};
    return {
      window: 'closed',
      deleted: note.deleted,
      left: note.left,
      unselected: note.unselected?.count,
      held: troubles.of(service, 'held')?.times,
      failures: troubles.of(service, 'deletions')?.times,
    };
  }

  function tellAnswer(
    service: ServiceKey,
    { asked, askedAt, answer, at }: Extract<WeederTurn['event'], { type: 'deletion.answered' }>,
  ): void {
    const { pod, waits } = asked;
    const about = { ...podFields(service, pod), containers: waits.containers, tookMs: at - askedAt };
    const words = deletionWords(asked, answer, serviceOf(service).namespace);
    if (answer.outcome === 'deleted') {
      log.info(words, { line: 'pod deleted', ...about });
      tellRecovery(service, at);
    } else if (whyNotDeleted(answer) === undefined)
      log.info(words, { line: 'deletion came to nothing', ...about, outcome: answer.outcome });
    else if (troubles.begins(service, 'deletions', at)) {
      const why = answer.outcome === 'failed' ? { reason: answer.reason, detail: answer.detail } : { reason: '429' };
      log.error(`${words}; it is tried again within the window`, { line: 'deletions fail', ...about, ...why });
    }
  }

  function tellRecovery(service: ServiceKey, at: Instant): void {
    const failed = troubles.ends(service, 'deletions');
    if (failed === undefined) return;
    const { since, times: failures } = failed;
    const after = `after ${seconds(at - since)} and ${counted(failures, 'failed deletion')}`;
    log.info(`pods of ${serviceWords(service)} can be deleted again, ${after}`, {
      line: 'deletions succeed again',
      ...serviceOf(service),
      failures,
      failedForMs: at - since,
    });
  }

  function tellNote({ subject: service, at }: WeederTurn, note: WeederNote): void {
    const { namespace } = serviceOf(service);
    switch (note.kind) {
      case 'windowOpened':
        return;
      case 'windowClosed':
        troubles.forget(service);
        return;
      case 'deletionHeld':
        if (troubles.begins(service, 'held', at))
          log.info(`pod ${note.pod.name} of ${namespace} waits: as many deletions as are allowed are under way`, {
            line: 'pods wait',
            ...podFields(service, note.pod),
          });
        return;
      case 'podSpared':
        // Once for each reason in a window: an owner of many replicas, or one that goes on for hours, is told once.
        if (troubles.begins(service, note.because, at))
          log.info(`pod ${note.pod.name} of ${namespace} crash-loops and is left alone: ${sparedWords(note, at)}`, {
            line: 'pod left alone',
            ...podFields(service, note.pod),
            because: note.because,
          });
    }
  }
}

function podFields(service: ServiceKey, { name, uid }: PodRef): LogFields {
  return { ...serviceOf(service), pod: name, uid };
}

function endpointFields(event: WeederTurn['event']): LogFields {
  return event.type === 'slices.changed' ? joined(event.slices) : {};
}

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

function closedWords(closed: Extract<WeederNote, { kind: 'windowClosed' }> | undefined): string {
  if (closed === undefined) return 'no pod had to be deleted';
  const missed = unselectedWords(closed);
  if (closed.deleted === 0 && closed.left === 0) return `no pod had to be deleted${missed}`;
  const left = closed.left === 0 ? 'none is' : closed.left === 1 ? '1 is' : `${closed.left} are`;
  return `${counted(closed.deleted, 'pod')} deleted, ${left} left crash-looping${missed}`;
}
