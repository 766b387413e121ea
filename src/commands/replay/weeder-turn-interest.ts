import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { WeederLanguage } from '../../machines/kinds.ts';

/** Whether an operator wants to see it, the others being news of pods and endpoints that changed nothing. */
export function isEventfulForWeeder({ event, from, to, commands, notes }: JournalTurnOf<WeederLanguage>): boolean {
  if (from !== to || notes.length > 0 || commands.some(({ type }) => type !== 'wake')) return true;
  switch (event.type) {
    case 'started':
    case 'ended':
    case 'service.gone':
    case 'deletion.answered':
      return true;
    case 'slices.changed':
    case 'woken':
    case 'pod.changed':
    case 'pod.gone':
      return false;
  }
}
