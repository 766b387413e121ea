import type { JournalTurnOf } from '../../../adapters/journal/journal-line.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { recordedLine } from '../../told/turn-recorded.ts';

/** The line itself, for whoever wants to see it all. It is made only when it is opened: it may be long. */
export function TurnRecorded({ turn }: Readonly<{ turn: JournalTurnOf<Language> & Readonly<{ run: string }> }>) {
  return (
    <details class="turn-recorded">
      <summary>The line as it was recorded</summary>
      <pre tabIndex={0}>{recordedLine(turn)}</pre>
    </details>
  );
}
