import { TableHead } from '../format/controls.tsx';
import type {
  Fact,
  Explanation,
  JudgedLease,
  ContextChange,
  ContextValue,
} from '../../model/explanation/explanation.ts';
import { Time } from '../format/time.tsx';
import { seconds } from '../../../adapters/words/plain-words.ts';
import { Mark } from '../format/mark.tsx';
import { numberText } from '../format/texts.ts';

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
