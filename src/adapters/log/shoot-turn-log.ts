import type { DependantKey } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootNote, ShootCommands } from '../../machines/shoot-language.ts';
import { shootEventWords } from '../words/shoot-words.ts';
import { keepTurn } from './keep-turn.ts';
import type { Log, LogFields } from './log.ts';

type Verdict = Extract<ShootNote, { kind: 'verdict' }>;

/** What is remembered of a shoot, so that a trouble is told when it begins and when it ends, and not in between. */
type ShootMemory = {
  failing: { since: Instant; failures: number } | undefined;
  /** It was told that too few candidates are left, with expired ones among them. */
  tooFew: boolean;
  missing: Set<DependantKey>;
  unread: Set<DependantKey>;
  /** They may not be read. */
  refused: Set<DependantKey>;
  /** Their last write failed. */
  unwritten: Set<DependantKey>;
  lastTurns: string[];
};

/** The lines of the prober's turns (SPEC 9.4). */
export function shootTurnLog(log: Log): (turn: ShootTurn) => void {
  const memories = new Map<ShootNamespace, ShootMemory>();

  return (turn) => {
    const { subject: shoot, event, from, to, at, notes } = turn;
    const memory = memories.get(shoot) ?? noMemory();
    memories.set(shoot, memory);

    if (event.type === 'ended') {
      tellEnd(turn, memory);
      memories.delete(shoot);
      return;
    }
    keepTurn(memory.lastTurns, turn);

    const verdict = notes.find((note) => note.kind === 'verdict');
    tellAnswer(turn, memory);
    if (verdict !== undefined) tellVerdict(turn, memory, verdict);
    if (from !== undefined && from !== to) log.info('state changed', { shoot, from, to, ...numbersOf(verdict, at) });
    for (const note of notes) tellNote(turn, memory, note);
  };

  function tellEnd({ subject: shoot, event }: ShootTurn, { lastTurns }: ShootMemory): void {
    if (event.type !== 'ended') return;
    if (event.because === 'gone') log.debug('shoot gone', { shoot });
    else {
      const met = event.during === undefined ? undefined : shootEventWords(event.during);
      log.error('bug: the shoot is started afresh', { shoot, error: event.error, event: met, lastTurns });
    }
  }

  function tellAnswer({ subject: shoot, event, at }: ShootTurn, memory: ShootMemory): void {
    switch (event.type) {
      case 'probe.failed':
      case 'candidates.failed': {
        const { stage, reason, detail } = event.failure;
        if (memory.failing === undefined) log.warn('probe fails', { shoot, stage, reason, detail });
        memory.failing = { since: memory.failing?.since ?? at, failures: (memory.failing?.failures ?? 0) + 1 };
        return;
      }
      case 'scale.answered': {
        const { asked, askedAt } = event;
        const { outcome } = event.answer;
        const fields = { shoot, resource: asked.key, outcome, ...writeFields(asked, at - askedAt) };
        if (event.answer.outcome === 'failed') {
          // It is tried again every few seconds, for as long as the seed refuses it.
          const level = memory.unwritten.has(asked.key) ? 'debug' : 'error';
          memory.unwritten.add(asked.key);
          log[level]('write failed', { ...fields, detail: event.answer.detail });
          return;
        }
        if (outcome === 'written') memory.unwritten.delete(asked.key);
        log.info(outcome === 'written' ? 'written' : 'write came to nothing', fields);
        return;
      }
      case 'read.answered': {
        const { key } = event.asked;
        const known = memory.unread.has(key);
        // A refusal is a note of the machine's.
        if (event.answer.outcome === 'refused') return;
        if (event.answer.outcome === 'failed') {
          memory.unread.add(key);
          if (!known) log.warn('read fails', { shoot, resource: key, detail: event.answer.detail });
          return;
        }
        memory.unread.delete(key);
        if (known) log.info('read again', { shoot, resource: key });
        if (event.answer.view.found) tellFound(shoot, memory, key);
        return;
      }
      case 'dependant.changed':
        if (event.view.found) tellFound(shoot, memory, event.key);
        return;
      case 'started':
      case 'ended':
      case 'cluster.changed':
      case 'cluster.gone':
      case 'cluster.watched':
      case 'dependant.watched':
      case 'woken':
      case 'probe.answered':
      case 'candidates.answered':
        return;
    }
  }

  function tellFound(shoot: ShootNamespace, memory: ShootMemory, key: DependantKey): void {
    if (memory.missing.delete(key)) log.info('dependant found again', { shoot, resource: key });
    if (memory.refused.delete(key)) log.info('dependant may be read again', { shoot, resource: key });
  }

  function tellVerdict({ subject: shoot, at }: ShootTurn, memory: ShootMemory, verdict: Verdict): void {
    if (memory.failing !== undefined) {
      const { since, failures } = memory.failing;
      log.info('probe tells again', { shoot, failures, failedForMs: at - since });
      memory.failing = undefined;
    }
    // The only node of a shoot is always too few; there is news in it only while its lease is expired.
    const tooFew = verdict.verdict === 'tooFew' && verdict.expired > 0;
    if (tooFew && !memory.tooFew) log.info('too few candidates to tell', { shoot, ...numbersOf(verdict, at) });
    memory.tooFew = tooFew;
  }

  function tellNote({ subject: shoot, at }: ShootTurn, memory: ShootMemory, note: ShootNote): void {
    switch (note.kind) {
      case 'verdict':
        return;
      case 'paused':
        log.info('paused', { shoot, reason: note.reason });
        return;
      case 'probeLost':
        log.error('probe was never answered', { shoot, number: note.number });
        return;
      case 'dependantMissing':
        if (!memory.missing.has(note.key))
          log.warn('dependant missing', { shoot, resource: note.key, direction: note.direction });
        memory.missing.add(note.key);
        return;
      case 'dependantRefused':
        memory.refused.add(note.key);
        log.warn('dependant may not be read', { shoot, resource: note.key, detail: note.detail });
        return;
      case 'clockDiffers':
        log.warn("the shoot's clock differs from ours; its leases are judged by it", { shoot, aheadMs: note.ahead });
        return;
      case 'earlyProbesSpent':
        log.warn('early probes are used up: the leases are about to cross the threshold too often', { shoot });
        return;
      case 'stepTimedOut':
        log.warn('scaling not done in time', {
          shoot,
          resource: note.key,
          direction: note.direction,
          timeoutMs: note.timeout,
        });
        return;
      case 'recordUnreadable':
        log.warn('recorded replicas unreadable, scaled to 1', { shoot, resource: note.key, record: note.record });
        return;
      case 'decided':
        return;
      case 'restored':
        log.info('restored', { shoot, afterMs: at - note.begunAt });
        return;
      case 'shielded':
        log.info('shielded', { shoot, afterMs: at - note.crossedAt, marginMs: note.firstMarkAt - at });
    }
  }
}

function numbersOf(verdict: Verdict | undefined, at: Instant): LogFields {
  if (verdict === undefined) return {};
  const { expired, candidates, crossedAt } = verdict;
  return {
    verdict: verdict.verdict,
    expired,
    candidates,
    ...(crossedAt === undefined ? {} : { sinceThresholdMs: at - crossedAt }),
  };
}

function writeFields({ seen, change }: ShootCommands['scale'], tookMs: number): LogFields {
  const { replicas, mark, record } = change;
  return {
    ...(replicas === undefined ? {} : { fromReplicas: seen.replicas, toReplicas: replicas }),
    ...(mark === undefined ? {} : { mark }),
    ...(record === undefined ? {} : { record }),
    tookMs,
  };
}

function noMemory(): ShootMemory {
  return {
    failing: undefined,
    tooFew: false,
    missing: new Set(),
    unread: new Set(),
    refused: new Set(),
    unwritten: new Set(),
    lastTurns: [],
  };
}
