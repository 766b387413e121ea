import { useRef } from 'preact/hooks';
import type { AskedGuard, TakenTransition } from '../../model/explanation/explanation.ts';
import { ruleTitle, ruleWords } from '../../model/explanation/rules.ts';
import { Mark } from '../format/mark.tsx';
import { TurnFacts } from './turn-facts.tsx';

/** Each guard that was asked, in order, and the transitions that were taken. Those that moved the machine are named first: there may be many. */
export function TurnGuards(
  props: Readonly<{
    guards: readonly AskedGuard[];
    decidedBy: readonly number[];
    taken: readonly TakenTransition[];
  }>,
) {
  const { guards, decidedBy, taken } = props;
  const rows = useRef(new Map<number, HTMLTableRowElement>());
  const show = (index: number) => rows.current.get(index)?.focus();
  return (
    <section class="turn-guards">
      {decidedBy.length > 0 && (
        <p class="turn-because">
          <span class="quiet">Because: </span>
          {decidedBy.map((index) => (
            <button key={index} type="button" onClick={() => show(index)} title="Go to this guard">
              {guards[index]?.question} <strong>yes</strong>
            </button>
          ))}
        </p>
      )}
      <h3>Guards, in the order in which they were asked</h3>
      {guards.length === 0 ? (
        <p class="quiet">No guard was asked.</p>
      ) : (
        // Where there is little room, the style sheet makes blocks of the cells. Without roles, a browser would then not take it for a table.
        <table role="table" aria-label="Guards, in the order in which they were asked">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader">Answer</th>
              <th role="columnheader">Guard</th>
              <th role="columnheader">What it saw</th>
              <th role="columnheader">Rules</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {guards.map((one, index) => (
              <GuardRow key={index} {...one} held={(row) => void (row && rows.current.set(index, row))} />
            ))}
          </tbody>
        </table>
      )}
      <p class="turn-taken">
        <span class="quiet">Transitions taken: </span>
        {taken.length === 0 ? 'none' : taken.map(transitionWords).join(' · ')}
      </p>
    </section>
  );
}

function GuardRow(props: AskedGuard & Readonly<{ held: (row: HTMLTableRowElement | null) => void }>) {
  const { guard, question, answer, saw, rules, state, to, held } = props;
  return (
    <tr ref={held} tabIndex={-1} role="row" class={answer ? 'turn-yes' : 'turn-no'}>
      <td role="cell" class="turn-answer">
        <Mark shape={answer ? 'dot' : 'ring'} tone={answer ? 'busy' : 'calm'} /> {answer ? 'yes' : 'no'}
      </td>
      <th role="rowheader">
        {question}
        <span class="turn-guard">
          {guard} <span class="quiet">in {state}</span>
          {answer && to !== undefined && ` → ${to}`}
        </span>
      </th>
      <td role="cell" class="turn-saw">
        <TurnFacts facts={saw} />
      </td>
      <td role="cell">
        <ul class="quiet turn-rules">
          {rules.map((rule) => (
            <li key={rule} title={ruleWords(rule)}>
              {rule}
              <span class="turn-rule"> {ruleTitle(rule)}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

function transitionWords({ state, event, to }: TakenTransition): string {
  const where = state === '' ? 'all' : state;
  return `${where} ${event === '' ? 'at once' : `on ${event}`}${to === undefined ? '' : ` → ${to}`}`;
}
