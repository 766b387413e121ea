import type { Instant } from '../../domain/time.ts';
import type { WeederNote } from '../../machines/weeder-language.ts';
import { counted, seconds } from './quantity-words.ts';

/** A note as an operator would tell it: `window closed: 3 pods deleted, none left`. `at`: the turn's. */
export function weederNoteWords(note: WeederNote, at: Instant): string {
  switch (note.kind) {
    case 'windowOpened':
      return `window ${note.extended ? 'extended' : 'opened'}: ${seconds(note.endsAt - at)} from now on`;
    case 'windowClosed': {
      const left = note.left === 0 ? 'none' : note.left;
      return `window closed: ${counted(note.deleted, 'pod')} deleted, ${left} left in CrashLoopBackOff`;
    }
    case 'deletionHeld':
      return `pod ${note.pod.name} has to wait: as many deletions as are allowed are under way`;
  }
}
