import type { DependantKey, DependantRef } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootNote } from '../../machines/shoot-language.ts';
import { seconds } from '../words/plain-words.ts';
import type { Occurrence } from './event-object.ts';

/** What happened to scaled resources at the prober's hand. */
export function shootOccurrences(turn: ShootTurn): readonly Occurrence[] {
  return [...ofWrite(turn), ...turn.notes.flatMap((note) => ofNote(turn.subject, note))];
}

function ofWrite({ subject: shoot, event }: ShootTurn): readonly Occurrence[] {
  if (event.type !== 'scale.answered') return [];
  const { ref, seen, change, leases } = event.asked;
  if (change.replicas === undefined) return [];
  const about = { namespace: shoot, ref, ...(seen.uid === undefined ? {} : { uid: seen.uid }) };
  const move = `from ${seen.replicas} to ${change.replicas} replicas`;
  switch (event.answer.outcome) {
    case 'written': {
      if (change.replicas > 0)
        return [
          { ...about, type: 'Normal', reason: 'ScaledUp', message: `Scaled ${move}: the shoot is connected again` },
        ];
      const why = leases === undefined ? '' : `: ${leases.expired} of ${leases.candidates} node leases are expired`;
      return [{ ...about, type: 'Normal', reason: 'ScaledDown', message: `Scaled ${move}${why}` }];
    }
    case 'failed': {
      const message = `Could not be scaled ${move}: ${event.answer.detail}`;
      return [{ ...about, type: 'Warning', reason: 'ScalingFailed', message }];
    }
    case 'conflict':
    case 'missing':
    case 'withdrawn':
      return [];
  }
}

function ofNote(shoot: ShootNamespace, note: ShootNote): readonly Occurrence[] {
  switch (note.kind) {
    case 'stepTimedOut': {
      const message = `Scaling ${note.direction} was not done within ${seconds(note.timeout)}`;
      return [{ namespace: shoot, ref: refOf(note.key), type: 'Warning', reason: 'ScalingTimedOut', message }];
    }
    case 'recordUnreadable': {
      const message = `The recorded replicas cannot be read: ${JSON.stringify(note.record)}; scaled to 1`;
      return [{ namespace: shoot, ref: refOf(note.key), type: 'Warning', reason: 'ReplicasRecordUnreadable', message }];
    }
    case 'verdict':
    case 'paused':
    case 'probeLost':
    case 'dependantMissing':
    case 'dependantRefused':
    case 'clockDiffers':
    case 'leasesAhead':
    case 'leasesAheadOver':
    case 'leasesNotRenewed':
    case 'leasesNotRenewedOver':
    case 'earlyProbesSpent':
    case 'decided':
    case 'shielded':
    case 'restored':
      return [];
  }
}

function refOf(key: DependantKey): DependantRef {
  const [name = '', kind = '', ...group] = key.split('/').toReversed();
  return { apiVersion: group.toReversed().join('/'), kind, name };
}
