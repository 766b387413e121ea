import { useMemo } from 'preact/hooks';
import { turnWords } from '../../../adapters/words/turn-words.ts';
import type { Languages } from '../../../machines/kinds.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import { explainCommand, recordedLine } from '../../model/recorded-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import { serverState } from '../client/inspector-client.ts';
import { useStore } from '../client/use-store.ts';
import { TurnChanges, TurnDecision } from './turn-facts.tsx';
import { TurnGuards } from './turn-guards.tsx';
import { TurnHeading } from './turn-heading.tsx';
import type { JournalTurnOf } from '../../../adapters/journal/journal-line.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import type { Explanation } from '../../model/explanation/explanation.ts';

/** One turn, with what it was decided by (view 5). */
export function TurnPanel<Of extends Kind>({
  kind,
  replayedTurn,
}: Readonly<{ kind: Of; replayedTurn: ReplayedTurn<Languages[Of]> }>) {
  const explanation = explained(kind, replayedTurn);
  const about = useStore(serverState, ({ about }) => about);
  const { turn, replayed, gap } = replayedTurn;
  const said = turnWords(turn);
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
        <p class="quiet">{none}</p>
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

/** The line itself, for whoever wants to see it all, and the command that shows the same in a terminal. */
function TurnRecorded({
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

/** As long as a turn is held, so is what was told of it: the chart and the panel show the same turn. */
const explanations = new WeakMap<object, unknown>();

/** What a turn was decided by. Each turn is explained once, and only when it is shown. */
export function explained<Of extends Kind>(
  kind: Of,
  replayedTurn: ReplayedTurn<Languages[Of]>,
): Explanation<Languages[Of]> {
  const known = explanations.get(replayedTurn) as Explanation<Languages[Of]> | undefined;
  if (known !== undefined) return known;
  const explanation = explainTurn(kind, replayedTurn);
  explanations.set(replayedTurn, explanation);
  return explanation;
}
