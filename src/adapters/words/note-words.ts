import type { Instant } from '../../domain/time.ts';
import type { ShootNote } from '../../machines/shoot-language.ts';
import { seconds } from './quantity-words.ts';
import { shortName } from './short-name.ts';

/** A note as an operator would tell it: `cut off: 5 of 5 leases expired, threshold crossed 0.2 s ago`. `at`: the turn's. */
export function shootNoteWords(note: ShootNote, at: Instant): string {
  switch (note.kind) {
    case 'verdict': {
      const share = `${note.expired} of ${note.candidates} leases expired`;
      if (note.verdict === 'connected') return `connected: ${share}`;
      if (note.verdict === 'tooFew') return `too few to tell: ${share}`;
      return `cut off: ${share}${note.crossedAt === undefined ? '' : `, threshold crossed ${seconds(at - note.crossedAt)} ago`}`;
    }
    case 'paused':
      return `paused: ${note.reason}`;
    case 'probeLost':
      return `probe ${note.number} was never answered, not even with a failure`;
    case 'dependantMissing':
      return `${shortName(note.key)} is missing while scaling ${note.direction}`;
    case 'dependantRefused':
      return `${shortName(note.key)} may not be read: ${note.detail}`;
    case 'clockDiffers':
      return `the shoot's clock is ${seconds(Math.abs(note.ahead))} ${note.ahead > 0 ? 'ahead of' : 'behind'} ours; its leases are judged by it`;
    case 'earlyProbesSpent':
      return 'its leases are about to cross the threshold too often; it is probed on their account every 2 s at most';
    case 'stepTimedOut':
      return `scaling ${shortName(note.key)} ${note.direction} is not done after ${seconds(note.timeout)}`;
    case 'recordUnreadable':
      return `the recorded replicas of ${shortName(note.key)} cannot be read: "${note.record}"; it gets 1`;
    case 'decided':
      return `the first scale-down is commanded ${seconds(at - note.crossedAt)} after the threshold`;
    case 'restored':
      return `everything is back ${seconds(at - note.begunAt)} after the way up began`;
    case 'shielded':
      return `everything is down ${seconds(at - note.crossedAt)} after the threshold, ${marginWords(note.firstMarkAt - at)}`;
  }
}

function marginWords(margin: number): string {
  return margin >= 0
    ? `${seconds(margin)} before the first node would be marked`
    : `${seconds(-margin)} after the first node may have been marked`;
}
