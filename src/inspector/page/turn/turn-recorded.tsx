import type { JournalTurnOf } from '../../../adapters/journal/journal-line.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { recordedLine } from '../../told/turn-recorded.ts';

/** The line itself, for whoever wants to see it all, and the command that shows the same in a terminal. */
export function TurnRecorded({
  turn,
  command,
}: Readonly<{ turn: JournalTurnOf<Language> & Readonly<{ run: string }>; command: string }>) {
  return (
    <section class="turn-recorded">
      <h3>The same in a terminal</h3>
      <pre tabIndex={0}>{command}</pre>
      <details>
        <summary>The line of the journal</summary>
        <pre tabIndex={0}>{recordedLine(turn)}</pre>
      </details>
    </section>
  );
}
