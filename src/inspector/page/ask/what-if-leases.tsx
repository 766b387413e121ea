import { TableHead } from '../format/controls.tsx';
import { useMemo, useState } from 'preact/hooks';
import { seconds } from '../../../adapters/words/plain-words.ts';
import { leasesBeside, type LeaseBeside } from '../../model/questions/what-if-basis.ts';
import type { WhatIf } from '../../model/questions/what-if.ts';
import type { WhatIfForm } from '../../model/questions/what-if-form.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { Mark } from '../format/mark.tsx';

/** A shoot may have thousands of nodes. Whoever means another one writes its name. */
const mostShown = 20;

/** The leases one by one: how old they were, how old they would have been, and a field for another age. */
export function WhatIfLeases(
  props: Readonly<{
    form: WhatIfForm;
    one: ShootTurnTaken | undefined;
    result: WhatIf;
    set: (change: Partial<WhatIfForm>) => void;
  }>,
) {
  const { form, one, result, set } = props;
  const [filter, setFilter] = useState('');
  const leases = useMemo(() => leasesBeside(one?.after?.context, result.ok ? result : undefined), [one, result]);
  const found = leases.filter(({ node }) => node.includes(filter));
  const shown = found.slice(0, mostShown);
  const setAge = (node: string, text: string) => set({ ages: new Map([...form.ages, [node, text]]) });
  return (
    <div class="ask-leases">
      <h3 id="ask-leases">Leases, as old as they are judged</h3>
      {leases.length > mostShown && (
        <label>
          <span>Node</span>
          <input type="search" value={filter} onInput={({ currentTarget }) => setFilter(currentTarget.value)} />
        </label>
      )}
      <table aria-labelledby="ask-leases">
        <TableHead columns={['Node', 'Was', 'Would be', 'Another age']} numbers={['Was', 'Would be']} />
        <tbody>
          {shown.map(({ node, did, would }) => (
            <tr key={node}>
              <th scope="row">{node}</th>
              <td class="number">
                <Age lease={did} />
              </td>
              <td class="number">
                <Age lease={would} />
              </td>
              <td>
                <input
                  type="text"
                  size={8}
                  autoComplete="off"
                  aria-label={`Age of ${node}`}
                  aria-invalid={!result.ok && result.refused.some(({ field }) => field === `age of ${node}`)}
                  value={form.ages.get(node) ?? ''}
                  onInput={({ currentTarget }) => setAge(node, currentTarget.value)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > shown.length && <p class="quiet">{found.length - shown.length} more are not shown.</p>}
    </div>
  );
}

function Age({ lease }: Readonly<{ lease: LeaseBeside['did'] }>) {
  if (lease === undefined) return <>–</>;
  if (lease.age === null) return <>unreadable</>;
  if (!lease.expired) return <>{seconds(lease.age)}</>;
  return (
    <span class="format-cutOff">
      <Mark shape="warning" tone="cutOff" /> {seconds(lease.age)}, expired
    </span>
  );
}
