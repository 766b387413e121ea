import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { turnWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { explainCommand, recordedLine, type ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import { serverState } from '../client/inspector-client.ts';
import { useStore } from '../client/store.ts';
import { TurnChanges, TurnDecision, TurnGuards } from './turn-facts.tsx';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Language } from 'dependency-watchdog/machines/pure-machine.ts';
import { explainTurn } from '../../model/explanation/explain-turn.ts';
import { turnTitle } from '../../model/explanation/turn-title.ts';
import type { Explanation } from '../../model/explanation/explanation.ts';
import type { Replayed } from '../../journal/machine-replay.ts';
import { CopyButton } from '../format/controls.tsx';
import { turnLink } from '../client/address.ts';
import { Mark, StateBadge } from '../format/mark.tsx';
import { Time } from '../format/time.tsx';

/** One turn, with what it was decided by (view 5). `children`: takes what decided it, and puts what else can be asked beside it. */
export function TurnPanel<Of extends Kind>({
  kind,
  replayedTurn,
  children,
}: Readonly<{
  kind: Of;
  replayedTurn: ReplayedTurn<Languages[Of]>;
  children: (why: ComponentChildren) => ComponentChildren;
}>) {
  const explanation = explained(kind, replayedTurn);
  const { turn, replayed, gap } = replayedTurn;
  return (
    <section class="turn-panel" aria-label="One turn">
      <TurnHeading
        kind={kind}
        turn={turn}
        title={turnTitle(kind, replayedTurn)}
        words={turnWords(turn).event}
        replayed={replayed}
      />
      {gap && (
        <p class="turn-missing">
          Turns of this machine are missing before this one. It begins at the recorded snapshot.
        </p>
      )}
      {explanation.missing !== undefined && <p class="turn-missing">{explanation.missing}</p>}
      {children(
        <>
          <TurnGuards {...explanation} />
          <TurnDecision {...explanation} />
        </>,
      )}
    </section>
  );
}

/** What followed from a turn, and all that is recorded of it. */
export function TurnRest<Of extends Kind>({
  kind,
  replayedTurn,
}: Readonly<{ kind: Of; replayedTurn: ReplayedTurn<Languages[Of]> }>) {
  const { changes, changesLeftOut } = explained(kind, replayedTurn);
  const about = useStore(serverState, ({ about }) => about);
  const { turn } = replayedTurn;
  const said = turnWords(turn);
  const command = useMemo(
    () =>
      explainCommand(
        turn,
        about?.live === true ? { process: location.origin } : { files: about?.sources ?? [] },
        about?.program,
      ),
    [turn, about?.program, about?.live, about?.sources],
  );
  return (
    <section class="turn-panel" aria-label="What followed">
      <Lines title="Commands" lines={said.commands} none="It commanded nothing." />
      <Lines title="Notes" lines={said.notes} none="It noted nothing." />
      <TurnChanges changes={changes} leftOut={changesLeftOut} />
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
      <p class="flow">
        <CopyButton label="Copy command" what="that shows this turn in a terminal" text={command} />
        <CopyButton label="Copy line" what="of the journal" text={() => recordedLine(turn)} />
      </p>
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

type Turn = JournalTurnOf<Language> & Readonly<{ run: string }>;

type Heading = Readonly<{
  kind: Kind;
  turn: Turn;
  title: string | undefined;
  words: string;
  replayed: Replayed;
}>;

/** What was decided, by what that happened, from which state to which, whether a replay agrees, and what can be taken away from here. */
function TurnHeading({ kind, turn, title, words, replayed }: Heading) {
  const { at, seq, from, to, subject, run } = turn;
  const link = turnLink({ kind, subject, run, seq, at });
  return (
    <header class="turn-heading">
      <h2>
        <Time at={at} /> <span class="turn-event">{title ?? words}</span>
      </h2>
      {title !== undefined && <p class="quiet turn-event">{words}</p>}
      <p class="flow turn-way">
        {from !== undefined && from !== to && (
          <>
            <StateBadge kind={kind} state={from} />
            <span>
              <span class="unseen">to</span>
              <span aria-hidden="true">→</span>
            </span>
          </>
        )}
        <StateBadge kind={kind} state={to} />
        {from === to && <span class="quiet">stays</span>}
        <Agreement replayed={replayed} />
        <a href={link} title="The address of this turn">
          event {seq}
        </a>
        <CopyButton label="Copy link" what="to this turn" text={() => new URL(link, location.href).href} />
      </p>
    </header>
  );
}

/** Whether the machine that the page holds comes to what was recorded. */
function Agreement({ replayed }: Readonly<{ replayed: Replayed }>) {
  switch (replayed.outcome) {
    case 'same':
      return <span class="quiet">✓ replay agrees</span>;
    case 'differs':
      return (
        <span class="format-refused">
          <Mark shape="cross" tone="refused" /> replay comes to another {replayed.difference.in}
        </span>
      );
    case 'after difference':
      return <span class="quiet">not replayed: an earlier turn came out otherwise</span>;
    case 'no beginning':
      return <span class="quiet">not replayed: nothing tells where it began</span>;
    case 'not taken':
      return <span class="quiet">nothing to replay: no machine takes this</span>;
  }
}
