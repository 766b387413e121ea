import type { Arrow } from '../../model/charts/chart-model.ts';
import { guardAsks, regionWords, stateIn } from '../../model/charts/charts.ts';
import { lastStay, lastTaken } from '../../model/charts/chart-history.ts';
import { ruleWords } from '../../model/explanation/rules.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import { stateLook, stateMeaning } from '../../model/states.ts';
import type { Kind } from '../../wire/wire.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { otherTurnLink } from '../client/address.ts';
import { Time } from '../format/time.tsx';
import { explained } from '../turn/turn-panel.tsx';
import type { Part } from './region-picture.tsx';

type Turns = readonly ReplayedTurn<Languages[Kind]>[];
type Told = Readonly<{ kind: Kind; turns: Turns; selected: number }>;

/** What a state or a line of the chart means, which rule it carries out, and when the machine was last there. */
export function PickedPart(props: Told & Readonly<{ part: Part; leave: () => void }>) {
  const { part, leave, ...told } = props;
  return (
    <section class="chart-picked" aria-label="What was clicked" aria-live="polite">
      {'state' in part ? (
        <PickedState {...told} region={part.region} state={part.state} />
      ) : (
        part.arrows.map((arrow) => (
          <PickedArrow key={arrow.event + arrow.index} {...told} {...{ arrow }} region={part.region} />
        ))
      )}
      <button type="button" onClick={leave}>
        Close
      </button>
    </section>
  );
}

function PickedState({ kind, turns, selected, region, state }: Told & Readonly<{ region: string; state: string }>) {
  const known = stateMeaning(kind, state);
  const stay = lastStay(turns, selected, region, state);
  const next = turns.findIndex(({ after }, index) => index > selected && stateIn(region, after?.value) === state);
  const noun = kind === 'shoot' ? 'shoot' : 'service';
  return (
    <div>
      <h2>{stateLook(kind, state).word}</h2>
      {known !== undefined && (
        <p>
          The {noun} is {known.meaning}. <span class="quiet">Rule {ruleWords(known.rule)}</span>
        </p>
      )}
      <p>
        {stay !== undefined ? (
          <>
            {stay.leftAt === null ? 'It has been there since ' : 'It was last there at '}
            <TurnTime turns={turns} index={stay.index} />
            {stay.leftAt !== null && `, for ${lengthWords(stay.leftAt - stay.enteredAt)}`}.
          </>
        ) : next >= 0 ? (
          <>
            Not yet at this turn; the next time at <TurnTime turns={turns} index={next} />.
          </>
        ) : (
          'Not in the turns that are shown.'
        )}
      </p>
    </div>
  );
}

function PickedArrow({ kind, turns, selected, region, arrow }: Told & Readonly<{ region: string; arrow: Arrow }>) {
  const { from, to, event, guard } = arrow;
  const asked = guardAsks(kind, guard);
  const index = lastTaken(turns, selected, region, arrow, (turn) => explained(kind, turn).taken);
  const name = (state: string) => stateLook(kind, state).word;
  return (
    <div>
      <h2>
        {from === null ? `any state of ${regionWords(region)}` : name(from)} → {name(to)}
      </h2>
      <p>
        {event === '' ? 'As soon as its guard says yes' : <code>{event}</code>}
        {guard !== undefined && (
          <>
            , <code>{guard}</code>
          </>
        )}
        {asked === undefined ? '' : `. ${asked.question} `}
        {asked !== undefined && (
          <span class="quiet">{asked.rules.map((rule) => `Rule ${ruleWords(rule)}`).join(', ')}</span>
        )}
      </p>
      <p>
        {index === undefined ? (
          'Not taken by this turn, of the turns that are shown.'
        ) : (
          <>
            It was last taken at <TurnTime turns={turns} index={index} />.
          </>
        )}
      </p>
    </div>
  );
}

/** A time that leads to its turn. */
function TurnTime({ turns, index }: Readonly<{ turns: Turns; index: number }>) {
  const turn = turns[index]?.turn;
  if (turn === undefined) return null;
  return (
    <a href={otherTurnLink(location.hash, turn)}>
      <Time at={turn.at} />
    </a>
  );
}
