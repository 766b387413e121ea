import { serviceOf, type ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { Instant } from '../../domain/time.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import type { WeederNote } from '../../machines/weeder-language.ts';
import { instantText } from '../words/plain-words.ts';
import { weederEventWords } from '../words/weeder-words.ts';
import { keepTurn } from './keep-turn.ts';
import type { Log, LogFields } from './log.ts';

/** What is remembered of a service, so that a trouble is told when it begins and when it ends, and not in between. */
type ServiceMemory = {
  failing: Readonly<{ since: Instant; failures: number }> | undefined;
  /** Pods that had to wait for others' deletions in this window. */
  held: number;
  lastTurns: string[];
};

/** The lines of the weeder's turns (SPEC 9.4). */
export function weederTurnLog(log: Log): (turn: WeederTurn) => void {
  const memories = new Map<ServiceKey, ServiceMemory>();

  return (turn) => {
    const { subject: service, event, from, to, notes } = turn;
    const memory = memories.get(service) ?? { failing: undefined, held: 0, lastTurns: [] };
    memories.set(service, memory);
    if (event.type === 'ended') {
      tellEnd(turn, memory);
      memories.delete(service);
      return;
    }
    keepTurn(memory.lastTurns, turn);

    if (event.type === 'deletion.answered') tellAnswer(turn, memory);
    if (from !== undefined && from !== to) tellChange(turn, memory);
    for (const note of notes) tellNote(turn, note, memory);
  };

  function tellEnd({ subject: service, event }: WeederTurn, { lastTurns }: ServiceMemory): void {
    if (event.type !== 'ended') return;
    if (event.because === 'gone') log.debug('service gone', serviceOf(service));
    else {
      const met = event.during === undefined ? undefined : weederEventWords(event.during);
      const fields = { ...serviceOf(service), error: event.error, event: met, lastTurns };
      log.error('bug: the service is started afresh', fields);
    }
  }

  /** A window opens and closes with a change of state only: its numbers go into the same line. */
  function tellChange({ subject: service, from, to, event, notes }: WeederTurn, memory: ServiceMemory): void {
    const windows = notes.map((note) => windowFields(note, memory));
    const fields = Object.assign({ ...serviceOf(service), from, to }, endpointFields(event), ...windows) as LogFields;
    const left = notes.some((note) => note.kind === 'windowClosed' && note.left > 0);
    log[left ? 'warn' : 'info']('state changed', fields);
  }

  function tellAnswer({ subject: service, event, at }: WeederTurn, memory: ServiceMemory): void {
    if (event.type !== 'deletion.answered') return;
    const { asked, askedAt, answer } = event;
    const { pod, containers } = asked;
    const fields = { ...serviceOf(service), pod: pod.name, uid: pod.uid, containers, tookMs: at - askedAt };
    switch (answer.outcome) {
      case 'deleted':
        log.info('pod deleted', fields);
        tellRecovery(service, at, memory);
        return;
      case 'gone':
      case 'replaced':
      case 'deletedBefore':
      case 'withdrawn':
        log.info('deletion came to nothing', { ...fields, outcome: answer.outcome });
        return;
      case 'throttled':
      case 'failed': {
        const { failing } = memory;
        const why = answer.outcome === 'failed' ? { reason: answer.reason, detail: answer.detail } : { reason: '429' };
        if (failing === undefined) log.error('deletions fail', { ...fields, ...why });
        memory.failing = { since: failing?.since ?? at, failures: (failing?.failures ?? 0) + 1 };
      }
    }
  }

  function tellRecovery(service: ServiceKey, at: Instant, memory: ServiceMemory): void {
    if (memory.failing === undefined) return;
    const { since, failures } = memory.failing;
    log.info('deletions succeed again', { ...serviceOf(service), failures, failedForMs: at - since });
    memory.failing = undefined;
  }

  function tellNote({ subject: service }: WeederTurn, note: WeederNote, memory: ServiceMemory): void {
    switch (note.kind) {
      case 'windowOpened':
        return;
      case 'windowClosed':
        memory.failing = undefined;
        memory.held = 0;
        return;
      case 'deletionHeld':
        if (memory.held === 0)
          log.info('pods wait: as many deletions as are allowed are under way', {
            ...serviceOf(service),
            pod: note.pod.name,
            uid: note.pod.uid,
          });
        memory.held += 1;
    }
  }
}

function endpointFields(event: WeederTurn['event']): LogFields {
  if (event.type !== 'slices.changed') return {};
  const slices = Object.values(event.slices);
  return {
    ready: slices.reduce((sum, { ready }) => sum + ready, 0),
    endpoints: slices.reduce((sum, { endpoints }) => sum + endpoints, 0),
  };
}

function windowFields(note: WeederNote, { failing, held }: ServiceMemory): LogFields {
  switch (note.kind) {
    case 'windowOpened':
      return { window: note.extended ? 'extended' : 'opened', windowEndsAt: instantText(note.endsAt) };
    case 'windowClosed':
      return {
        window: 'closed',
        deleted: note.deleted,
        left: note.left,
        ...(held === 0 ? {} : { held }),
        ...(failing === undefined ? {} : { failures: failing.failures }),
      };
    case 'deletionHeld':
      return {};
  }
}
