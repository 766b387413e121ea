import { seconds } from '../../../adapters/words/plain-words.ts';
import type { Explanation, JudgedLease } from '../../told/explanation.ts';
import { Mark } from '../format/mark.tsx';
import { numberText } from '../format/number-text.ts';
import { TurnFacts } from './turn-facts.tsx';

/** What the turn judged that no guard shows: leases one by one, and what the judgement went by. */
export function TurnDecision({
  decision,
  leases,
  leasesLeftOut,
}: Pick<Explanation, 'decision' | 'leases' | 'leasesLeftOut'>) {
  if (decision.length === 0 && leases.length === 0) return null;
  return (
    <section class="turn-decision">
      <h3>What was judged</h3>
      <TurnFacts facts={decision} />
      {leases.length > 0 && (
        <table class="turn-leases" aria-label="Leases, the longest silent first">
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col" class="turn-number">
                Silent for
              </th>
              <th scope="col">Lease</th>
              <th scope="col">Counts</th>
            </tr>
          </thead>
          <tbody>
            {leases.map((lease, index) => (
              <LeaseRow key={index} {...lease} />
            ))}
          </tbody>
        </table>
      )}
      {leasesLeftOut > 0 && <p class="turn-quiet">{numberText(leasesLeftOut)} more were silent for less.</p>}
    </section>
  );
}

function LeaseRow({ node, silent, expired, counts, because }: JudgedLease) {
  return (
    <tr class={counts ? '' : 'turn-quiet'}>
      <th scope="row">{node}</th>
      <td class="turn-number">{silent === null ? 'unknown' : seconds(silent)}</td>
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
