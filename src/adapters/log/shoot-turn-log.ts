import type { DependantKey } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootNote, ShootCommands } from '../../machines/shoot-language.ts';
import type { Log, LogFields } from './log.ts';
import { shootNoteWords } from '../words/shoot-words.ts';
import { failings, openTroubles } from './troubles.ts';

type Verdict = Extract<ShootNote, { kind: 'verdict' }>;

/** `tooFew`: too few candidates are left, with expired ones among them. `refused`: it may not be read. `unwritten`: its last write failed. */
type Trouble = 'tooFew' | `${'missing' | 'unread' | 'refused' | 'unwritten'} ${DependantKey}`;

/** The lines of the prober's turns (SPEC 9.4). */
export function shootTurnLog(log: Log): (turn: ShootTurn) => void {
  const troubles = openTroubles<Trouble>();
  const failing = failings();

  return (turn) => {
    const { subject: shoot, event, from, to, at, notes } = turn;
    if (event.type === 'ended') {
      troubles.forget(shoot);
      failing.end(shoot);
      return;
    }
    const verdict = notes.find((note) => note.kind === 'verdict');
    tellAnswer(turn);
    if (verdict !== undefined) tellVerdict(turn, verdict);
    if (from !== undefined && from !== to) log.info('state changed', { shoot, from, to, ...numbersOf(verdict, at) });
    for (const note of notes) tellNote(turn, note);
  };

  function tellAnswer({ subject: shoot, event, at }: ShootTurn): void {
    switch (event.type) {
      case 'probe.failed':
      case 'candidates.failed': {
        const { stage, reason, detail } = event.failure;
        if (failing.add(shoot, at)) log.warn('probe fails', { shoot, stage, reason, detail });
        return;
      }
      case 'scale.answered': {
        const { asked, askedAt } = event;
        const { outcome } = event.answer;
        const fields = { shoot, resource: asked.key, outcome, ...writeFields(asked, at - askedAt) };
        if (event.answer.outcome === 'failed') {
          // It is tried again every few seconds, for as long as the seed refuses it.
          const level = troubles.begins(shoot, `unwritten ${asked.key}`) ? 'error' : 'debug';
          log[level]('write failed', { ...fields, detail: event.answer.detail });
          return;
        }
        if (outcome === 'written') troubles.ends(shoot, `unwritten ${asked.key}`);
        log.info(outcome === 'written' ? 'written' : 'write came to nothing', fields);
        return;
      }
      case 'read.answered': {
        const { key } = event.asked;
        // A refusal is a note of the machine's.
        if (event.answer.outcome === 'refused') return;
        if (event.answer.outcome === 'failed') {
          if (troubles.begins(shoot, `unread ${key}`))
            log.warn('read fails', { shoot, resource: key, detail: event.answer.detail });
          return;
        }
        if (troubles.ends(shoot, `unread ${key}`)) log.info('read again', { shoot, resource: key });
        if (event.answer.view.found) tellFound(shoot, key);
        return;
      }
      case 'dependant.changed':
        if (event.view.found) tellFound(shoot, event.key);
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

  function tellFound(shoot: ShootNamespace, key: DependantKey): void {
    if (troubles.ends(shoot, `missing ${key}`)) log.info('dependant found again', { shoot, resource: key });
    if (troubles.ends(shoot, `refused ${key}`)) log.info('dependant may be read again', { shoot, resource: key });
  }

  function tellVerdict({ subject: shoot, at }: ShootTurn, verdict: Verdict): void {
    const failed = failing.end(shoot);
    if (failed !== undefined)
      log.info('probe tells again', { shoot, failures: failed.failures, failedForMs: at - failed.since });
    // The only node of a shoot is always too few; there is news in it only while its lease is expired.
    if (verdict.verdict !== 'tooFew' || verdict.expired === 0) troubles.ends(shoot, 'tooFew');
    else if (troubles.begins(shoot, 'tooFew'))
      log.info('too few candidates to tell', { shoot, ...numbersOf(verdict, at) });
  }

  function tellNote({ subject: shoot, at }: ShootTurn, note: ShootNote): void {
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
        if (troubles.begins(shoot, `missing ${note.key}`))
          log.warn('dependant missing', { shoot, resource: note.key, direction: note.direction });
        return;
      case 'dependantRefused':
        troubles.begins(shoot, `refused ${note.key}`);
        log.warn('dependant may not be read', { shoot, resource: note.key, detail: note.detail });
        return;
      case 'clockDiffers':
        log.warn("the shoot's clock differs from ours; its leases are judged by it", { shoot, aheadMs: note.ahead });
        return;
      case 'leasesAhead':
      case 'leasesNotRenewed':
        log.warn(`${shoot}: ${shootNoteWords(note, at)}`, { shoot, leases: note.leases.count });
        return;
      case 'leasesAheadOver':
      case 'leasesNotRenewedOver':
        log.info(`${shoot}: ${shootNoteWords(note, at)}`, { shoot });
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
