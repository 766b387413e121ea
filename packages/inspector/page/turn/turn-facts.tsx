import { TableHead } from '../format/controls.tsx';
import type {
  Fact,
  Explanation,
  JudgedLease,
  ContextChange,
  ContextValue,
  AskedGuard,
  TakenTransition,
} from '../../model/explanation/explanation.ts';
import { Time } from '../format/time.tsx';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { Mark } from '../format/mark.tsx';
import { countText, numberText } from '../format/texts.ts';
import { bareState } from '../../model/charts/charts.ts';
import { ruleTitle, ruleWords } from '../../model/explanation/rules.ts';

/** Values with their names; an instant stands before its value. */
export function TurnFacts({ facts }: Readonly<{ facts: readonly Fact[] }>) {
  return (
    <dl class="flow turn-facts">
      {facts.map(({ name, value, at }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>
            {at !== undefined && (
              <>
                <Time at={at} />,{' '}
              </>
            )}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the turn judged that no guard shows: leases one by one, and what the judgement went by. */
export function TurnDecision(props: Pick<Explanation, 'decision' | 'leases' | 'leasesLeftOut'>) {
  const { decision, leases, leasesLeftOut } = props;
  if (decision.length === 0 && leases.length === 0) return null;
  return (
    <section class="turn-decision">
      <h3>What was judged</h3>
      <TurnFacts facts={decision} />
      {leases.length > 0 && (
        <table class="turn-leases" aria-label="Leases, the longest silent first">
          <TableHead columns={['Node', 'Silent for', 'Lease', 'Counts']} numbers={['Silent for']} />
          <tbody>
            {leases.map((lease, index) => (
              <LeaseRow key={index} {...lease} />
            ))}
          </tbody>
        </table>
      )}
      {leasesLeftOut > 0 && <p class="quiet">{numberText(leasesLeftOut)} more were silent for less.</p>}
    </section>
  );
}

function LeaseRow({ node, silent, expired, counts, because }: JudgedLease) {
  return (
    <tr class={counts ? '' : 'quiet'}>
      <th scope="row">{node}</th>
      <td class="number">{silent === null ? 'unknown' : seconds(silent)}</td>
      <td>
        {expired ? (
          <span class="format-cutOff">
            <Mark shape="warning" tone="cutOff" /> expired
          </span>
        ) : silent === null ? (
          'unknown'
        ) : (
          'fresh'
        )}
      </td>
      <td>{counts ? 'yes' : `no: ${because}`}</td>
    </tr>
  );
}

/** What the machine remembers after the turn, and what it remembered before. */
export function TurnChanges({ changes, leftOut }: Readonly<{ changes: readonly ContextChange[]; leftOut: number }>) {
  return (
    <section class="turn-changes">
      <h3>What the machine remembers</h3>
      {changes.length === 0 ? (
        <p class="quiet">The same as before.</p>
      ) : (
        <table aria-label="What the machine remembers, before and after">
          <TableHead columns={['Field', 'Before', 'After']} />
          <tbody>
            {changes.map(({ path, before, after }, index) => (
              <tr key={index}>
                <th scope="row">{path}</th>
                <td class="quiet">
                  <Value {...before} />
                </td>
                <td>
                  <Value {...after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut > 0 && <p class="quiet">{numberText(leftOut)} more changes are left out. The line has them all.</p>}
    </section>
  );
}

function Value({ text, at }: ContextValue) {
  return at === undefined ? <>{text}</> : <Time at={at} />;
}

/** The guards that moved the machine, then what else said yes; behind them what said no, and the transitions that were taken. */
export function TurnGuards(
  props: Readonly<{
    guards: readonly AskedGuard[];
    decidedBy: readonly number[];
    taken: readonly TakenTransition[];
  }>,
) {
  const { guards, decidedBy, taken } = props;
  const decided = decidedBy.flatMap((index) => guards[index] ?? []);
  const others = guards.filter((_, index) => !decidedBy.includes(index));
  const [yes, no] = [true, false].map((answer) => others.filter((one) => one.answer === answer));
  return (
    <section class="turn-guards">
      {guards.length === 0 && <p class="quiet">No guard was asked.</p>}
      {decided.length === 0 && guards.length > 0 && <GuardTable title="Guards, as they were asked" guards={guards} />}
      {decided.length > 0 && (
        <>
          <GuardTable
            title="What decided, and what else said yes"
            guards={[...decided, ...(yes ?? [])]}
            count={decided.length}
          />
          {no !== undefined && no.length > 0 && (
            <details>
              <summary>{countText(no.length, 'guard')} said no</summary>
              <GuardTable title="What said no" guards={no} />
            </details>
          )}
        </>
      )}
      <p class="turn-taken">
        <span class="quiet">Transitions taken: </span>
        {taken.length === 0 ? 'none' : taken.map(transitionWords).join(' · ')}
      </p>
    </section>
  );
}

/** `count`: so many of them, from the first on, decided. Where there is little room, the style sheet makes blocks of the cells; without roles, a browser would then not take it for a table. */
function GuardTable(props: Readonly<{ title: string; guards: readonly AskedGuard[]; count?: number }>) {
  const { title, guards, count = 0 } = props;
  return (
    <table role="table" aria-label={title}>
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
          <GuardRow key={index} {...one} decided={index < count} />
        ))}
      </tbody>
    </table>
  );
}

function GuardRow(props: AskedGuard & Readonly<{ decided: boolean }>) {
  const { guard, question, answer, saw, rules, state, to, decided } = props;
  return (
    <tr role="row" class={decided ? 'turn-decided' : answer ? '' : 'turn-no'}>
      <td role="cell" class="turn-answer">
        <Mark shape={answer ? 'dot' : 'ring'} tone={answer ? 'busy' : 'calm'} /> {answer ? 'yes' : 'no'}
      </td>
      <th role="rowheader">
        {question}
        <span class="turn-guard">
          {guard} <span class="quiet">in {bareState(state) || 'any state'}</span>
          {answer && to !== undefined && ` → ${bareState(to)}`}
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
  const where = bareState(state) || 'any state';
  // The machine's own word for it is told by its chart alone.
  const when = event === '' ? 'at once' : event === 'woken' ? 'after its wait' : `on ${event}`;
  return `${where} ${when}${to === undefined ? '' : ` → ${bareState(to)}`}`;
}
