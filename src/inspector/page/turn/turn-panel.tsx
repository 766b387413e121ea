import { useMemo } from 'preact/hooks';
import { kindWords, turnWords } from '../../../adapters/words/turn-words.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import { explainCommand } from '../../told/turn-recorded.ts';
import type { About, Kind } from '../../wire/wire.ts';
import { told } from '../client/inspector-client.ts';
import { useStore } from '../client/use-store.ts';
import { explained } from './explained.ts';
import { TurnChanges } from './turn-changes.tsx';
import { TurnDecision } from './turn-decision.tsx';
import { TurnGuards } from './turn-guards.tsx';
import { TurnHeading } from './turn-heading.tsx';
import { TurnRecorded } from './turn-recorded.tsx';

const aboutOf = ({ about }: Readonly<{ about: About | null }>) => about;

/** One turn, with what it was decided by (view 5). */
export function TurnPanel<Of extends Kind>({
  kind,
  retaken,
}: Readonly<{ kind: Of; retaken: RetakenTurn<Languages[Of]> }>) {
  const explanation = explained(kind, retaken);
  const about = useStore(told, aboutOf);
  const { turn, replayed, gap } = retaken;
  const said = turnWords<Languages, Of>(kindWords, turn);
  const command = useMemo(
    () => explainCommand(turn, about?.live === true ? { process: location.origin } : { files: about?.sources ?? [] }),
    [turn, about?.live, about?.sources],
  );
  return (
    <section class="turn-panel" aria-label="One turn">
      <TurnHeading kind={kind} turn={turn} words={said.event} replayed={replayed} command={command} />
      {gap && (
        <p class="turn-missing">
          Turns of this machine are missing before this one. It begins at the recorded snapshot.
        </p>
      )}
      {explanation.missing !== undefined && <p class="turn-missing">{explanation.missing}</p>}
      <TurnGuards {...explanation} />
      <div class="turn-columns">
        <TurnDecision {...explanation} />
        <div>
          <Lines title="Commands" lines={said.commands} none="It commanded nothing." />
          <Lines title="Notes" lines={said.notes} none="It noted nothing." />
        </div>
      </div>
      <TurnChanges changes={explanation.changes} leftOut={explanation.changesLeftOut} />
      <TurnRecorded turn={turn} command={command} />
    </section>
  );
}

function Lines({ title, lines, none }: Readonly<{ title: string; lines: readonly string[]; none: string }>) {
  return (
    <section class="turn-lines">
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="turn-quiet">{none}</p>
      ) : (
        <ul>
          {lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
