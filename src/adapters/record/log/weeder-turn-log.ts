import { joined } from '../../../domain/weeder/service-slices.ts';
import { type ServiceKey, serviceOf } from '../../../domain/weeder/service-ref.ts';
import type { Instant } from '../../../domain/time.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederNote, WeederState } from '../../../machines/weeder-language.ts';
import { counted, instantText, seconds } from '../../words/plain-words.ts';
import type { Log, LogFields } from './log.ts';
import { type Failing, failings } from './troubles.ts';
import { deletionWords, readyWords, sparedWords, unselectedWords, whyNotDeleted } from '../words/weeder-words.ts';

/** The lines of the weeder's turns (SPEC 9.4). */
export function weederTurnLog(log: Log): (turn: WeederTurn) => void {
  /** Deletions, until one succeeds or the window closes. */
  const failing = failings();
  /** How many pods had to wait for others' deletions in an open window, where any had. */
  const held = new Map<ServiceKey, number>();
  /** What was said of pods that do not go in an open window: service and reason. */
  const spared = new Set<string>();

  return (turn) => {
    const { subject: service, event, from, to, notes } = turn;
    if (event.type === 'ended') {
      forget(service);
      return;
    }
    if (event.type === 'deletion.answered') tellAnswer(turn);
    if (from !== undefined && from !== to) tellChange(turn);
    for (const note of notes) tellNote(turn, note);
  };

  function forget(service: ServiceKey): void {
    failing.end(service);
    held.delete(service);
    for (const because of ['mirror', 'noController', 'unselected', 'pause']) spared.delete(`${service} ${because}`);
  }

  /** A window opens and closes with a change of state only: its numbers go into the same line. */
  function tellChange(turn: WeederTurn): void {
    const { subject: service, from, to, event, notes } = turn;
    const windows = notes.map((note) => windowFields(note, failing.of(service), held.get(service)));
    const fields = Object.assign(
      { line: 'state changed', ...serviceOf(service), from, to },
      endpointFields(event),
      ...windows,
    ) as LogFields;
    const left = notes.some((note) => note.kind === 'windowClosed' && note.left > 0);
    log[left ? 'warn' : 'info'](stateSentence(turn), fields);
  }

  function tellAnswer({ subject: service, event, at }: WeederTurn): void {
    if (event.type !== 'deletion.answered') return;
    const { asked, askedAt, answer } = event;
    const { pod, waits } = asked;
    const { namespace } = serviceOf(service);
    const fields = {
      ...serviceOf(service),
      pod: pod.name,
      uid: pod.uid,
      containers: waits.containers,
      tookMs: at - askedAt,
    };
    const words = deletionWords(asked, answer, namespace);
    if (answer.outcome === 'deleted') {
      log.info(words, { line: 'pod deleted', ...fields });
      tellRecovery(service, at);
    } else if (whyNotDeleted(answer) === undefined)
      log.info(words, { line: 'deletion came to nothing', ...fields, outcome: answer.outcome });
    else if (failing.add(service, at)) {
      const why = answer.outcome === 'failed' ? { reason: answer.reason, detail: answer.detail } : { reason: '429' };
      log.error(`${words}; it is tried again within the window`, { line: 'deletions fail', ...fields, ...why });
    }
  }

  function tellRecovery(service: ServiceKey, at: Instant): void {
    const failed = failing.end(service);
    if (failed === undefined) return;
    const { since, failures } = failed;
    const after = `after ${seconds(at - since)} and ${counted(failures, 'failed deletion')}`;
    log.info(`pods of ${serviceWords(service)} can be deleted again, ${after}`, {
      line: 'deletions succeed again',
      ...serviceOf(service),
      failures,
      failedForMs: at - since,
    });
  }

  function tellNote({ subject: service, at }: WeederTurn, note: WeederNote): void {
    switch (note.kind) {
      case 'windowOpened':
        return;
      case 'windowClosed':
        forget(service);
        return;
      case 'deletionHeld': {
        const before = held.get(service) ?? 0;
        if (before === 0)
          log.info(
            `pod ${note.pod.name} of ${serviceOf(service).namespace} waits: as many deletions as are allowed are under way`,
            { line: 'pods wait', ...serviceOf(service), pod: note.pod.name, uid: note.pod.uid },
          );
        held.set(service, before + 1);
        return;
      }
      case 'podSpared': {
        // Once for each reason in a window: an owner of many replicas, or one that goes on for hours, is told once.
        const key = `${service} ${note.because}`;
        if (spared.has(key)) return;
        spared.add(key);
        const { namespace } = serviceOf(service);
        log.info(`pod ${note.pod.name} of ${namespace} crash-loops and is left alone: ${sparedWords(note, at)}`, {
          line: 'pod left alone',
          ...serviceOf(service),
          pod: note.pod.name,
          uid: note.pod.uid,
          because: note.because,
        });
      }
    }
  }
}

function endpointFields(event: WeederTurn['event']): LogFields {
  return event.type === 'slices.changed' ? joined(event.slices) : {};
}

function windowFields(note: WeederNote, failing: Failing | undefined, held = 0): LogFields {
  switch (note.kind) {
    case 'windowOpened':
      return { window: note.extended ? 'extended' : 'opened', windowEndsAt: instantText(note.endsAt) };
    case 'windowClosed':
      return {
        window: 'closed',
        deleted: note.deleted,
        left: note.left,
        ...(note.unselected === undefined ? {} : { unselected: note.unselected.count }),
        ...(held === 0 ? {} : { held }),
        ...(failing === undefined ? {} : { failures: failing.failures }),
      };
    case 'podSpared':
    case 'deletionHeld':
      return {};
  }
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
