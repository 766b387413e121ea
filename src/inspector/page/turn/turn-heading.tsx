import type { Replayed } from '../../../adapters/journal/machine-replay.ts';
import type { JournalTurnOf } from '../../../adapters/journal/journal-line.ts';
import type { Language } from '../../../machines/pure-machine.ts';
import { recordedLine } from '../../model/recorded-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import { CopyButton } from '../format/copy-button.tsx';
import { turnLink } from '../client/address.ts';
import { Mark, StateBadge } from '../format/mark.tsx';
import { Time } from '../format/time.tsx';

type Turn = JournalTurnOf<Language> & Readonly<{ run: string }>;

/** What happened, from which state to which, whether a replay agrees, and what can be taken away from here. */
export function TurnHeading(
  props: Readonly<{ kind: Kind; turn: Turn; words: string; replayed: Replayed; command: string }>,
) {
  const { kind, turn, words, replayed, command } = props;
  const { at, seq, from, to, subject, run } = turn;
  const link = turnLink({ kind, subject, run, seq, at });
  return (
    <header class="turn-heading">
      <h2>
        <Time at={at} /> <span class="turn-event">{words}</span>
      </h2>
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
      </p>
      <p class="flow turn-away">
        <a href={link} title="The address of this turn">
          event {seq}
        </a>
        <CopyButton label="Copy link" what="to this turn" text={() => new URL(link, location.href).href} />
        <CopyButton label="Copy line" what="of the journal" text={() => recordedLine(turn)} />
        <CopyButton label="Copy command" what="that shows this turn in a terminal" text={command} />
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
