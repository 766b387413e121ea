import type { AskedGuard, TakenTransition } from '../../told/explanation.ts';
import { ruleTitle, ruleWords } from '../../told/guard-rules.ts';
import { Mark } from '../format/mark.tsx';
import { TurnFacts } from './turn-facts.tsx';

/** Each guard that was asked, in order, and the transitions that were taken. */
export function TurnGuards({
  guards,
  taken,
}: Readonly<{ guards: readonly AskedGuard[]; taken: readonly TakenTransition[] }>) {
  return (
    <section class="turn-guards">
      <h3>Guards, in the order in which they were asked</h3>
      {guards.length === 0 ? (
        <p class="turn-quiet">No guard was asked.</p>
      ) : (
        <table aria-label="Guards, in the order in which they were asked">
          <thead>
            <tr>
              <th scope="col">Answer</th>
              <th scope="col">Guard</th>
              <th scope="col">What it saw</th>
              <th scope="col">Rules</th>
            </tr>
          </thead>
          <tbody>
            {guards.map((one, index) => (
              <GuardRow key={index} {...one} />
            ))}
          </tbody>
        </table>
      )}
      <p class="turn-taken">
        <span class="turn-quiet">Transitions taken: </span>
        {taken.length === 0 ? 'none' : taken.map(transitionWords).join(' · ')}
      </p>
    </section>
  );
}

function GuardRow({ guard, question, answer, saw, rules, state, to }: AskedGuard) {
  return (
    <tr class={answer ? 'turn-yes' : 'turn-no'}>
      <td>
        <Mark shape={answer ? 'dot' : 'ring'} tone={answer ? 'accent' : 'calm'} /> {answer ? 'yes' : 'no'}
      </td>
      <th scope="row">
        {question}
        <span class="turn-guard">
          {guard} <span class="turn-quiet">in {state}</span>
        </span>
        {answer && to !== undefined && <span class="turn-to">→ {to}</span>}
      </th>
      <td>
        <TurnFacts facts={saw} />
      </td>
      <td>
        <ul class="turn-rules">
          {rules.map((rule) => (
            <li key={rule} title={ruleWords(rule)}>
              {rule} <span class="turn-rule">{ruleTitle(rule)}</span>
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
