import { joined } from '../../../domain/weeder/service-slices.ts';
import { serviceOf, type ServiceKey } from '../../../domain/weeder/service-ref.ts';
import type { Instant } from '../../../domain/time.ts';
import type { WeederTurn } from '../../../effects/turn.ts';
import type { WeederNote } from '../../../machines/weeder-language.ts';
import { counted, instantText, seconds } from '../../words/plain-words.ts';
import type { Log, LogFields } from './log.ts';
import { failings, type Failing } from './troubles.ts';
import { sparedWords, waitWords } from '../words/weeder-words.ts';
import { nothingWords, serviceWords, stateSentence } from './weeder-sentences.ts';

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
    switch (answer.outcome) {
      case 'deleted':
        log.info(`deleted pod ${pod.name} of ${namespace}: ${waitWords(waits)}`, {
          line: 'pod deleted',
          ...fields,
        });
        tellRecovery(service, at);
        return;
      case 'gone':
      case 'replaced':
      case 'deletedBefore':
      case 'withdrawn':
        log.info(`did not delete pod ${pod.name} of ${namespace}: ${nothingWords[answer.outcome]}`, {
          line: 'deletion came to nothing',
          ...fields,
          outcome: answer.outcome,
        });
        return;
      case 'throttled':
      case 'failed': {
        const why = answer.outcome === 'failed' ? { reason: answer.reason, detail: answer.detail } : { reason: '429' };
        if (!failing.add(service, at)) return;
        const because = answer.outcome === 'failed' ? answer.detail : 'the seed answers 429, too many requests';
        log.error(`could not delete pod ${pod.name} of ${namespace}: ${because}; it is tried again within the window`, {
          line: 'deletions fail',
          ...fields,
          ...why,
        });
      }
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
