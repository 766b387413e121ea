import { useMemo, useState } from 'preact/hooks';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { writeGoDuration } from 'dependency-watchdog/domain/go-duration.ts';
import { leasesBeside, type LeaseBeside, type WhatIf } from '../../model/questions/what-if.ts';
import { failureReasons, type ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import { ageField, hasLeases, questionQuery, type Basis, type WhatIfForm } from '../../model/questions/what-if-form.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { TableHead } from '../format/controls.tsx';
import { Mark } from '../format/mark.tsx';

/** A kubelet renews every 10 s, so a lease is half as old as that on average. */
const freshAge = '5s';

/** A form, what writes into one of its fields, and the names of those that cannot be used. */
type Setting = Readonly<{
  form: WhatIfForm;
  set: (field: string, text: string) => void;
  refused: ReadonlySet<string>;
}>;

/** The fields of what is imagined; an empty one leaves all as it was. */
export function WhatIfFields({ basis, reset, ...setting }: Setting & Readonly<{ basis: Basis; reset: () => void }>) {
  const { form, set } = setting;
  const isAsItWas = questionQuery({ question: 'whatIf', form }) === questionQuery({ question: 'whatIf', form: {} });
  const expired = basis.expiredFrom === undefined ? undefined : writeGoDuration(basis.expiredFrom);
  const ofLook = basis.answer === 'look' ? ' of the look' : '';
  return (
    <form class="ask-fields" onSubmit={(event) => event.preventDefault()} aria-label="What is imagined otherwise">
      {hasLeases(basis) && (
        <>
          <AnswerField {...setting} field="answer" label={`answer${ofLook}`} />
          <TextField {...setting} field="allAges" label="age of all leases" asItWas="as it was" />
        </>
      )}
      {basis.answer === 'paths' &&
        ['internal', 'external'].map((path) => (
          <AnswerField {...setting} key={path} field={path} label={`${path} path`} />
        ))}
      {basis.fields.map((name) => (
        <TextField {...setting} key={name} field={name} label={name} asItWas={configured(basis, name)} />
      ))}
      <div class="flow ask-quick">
        {hasLeases(basis) && (
          <>
            <button type="button" disabled={expired === undefined} onClick={() => set('allAges', expired ?? '')}>
              All expired
            </button>
            <button type="button" onClick={() => set('allAges', freshAge)}>
              All fresh
            </button>
          </>
        )}
        <button type="button" disabled={isAsItWas} onClick={reset}>
          All as it was
        </button>
      </div>
    </form>
  );
}

type Field = Setting & Readonly<{ field: string; label: string }>;

/** A field of text; an empty one leaves all `asItWas`. */
export function TextField({ form, set, refused, field, label, asItWas }: Field & Readonly<{ asItWas: string }>) {
  return (
    <label>
      <span class="quiet">{label}</span>
      <input
        type="text"
        size={7}
        autoComplete="off"
        value={form[field] ?? ''}
        placeholder={asItWas}
        aria-invalid={refused.has(field)}
        onInput={({ currentTarget }) => set(field, currentTarget.value)}
      />
    </label>
  );
}

function AnswerField({ form, set, refused, field, label }: Field) {
  return (
    <label>
      <span class="quiet">{label}</span>
      <select
        aria-invalid={refused.has(field)}
        value={form[field] ?? ''}
        onChange={({ currentTarget }) => set(field, currentTarget.value)}
      >
        <option value="">as it was</option>
        <option value="answered">answered</option>
        {failureReasons.map((reason) => (
          <option key={reason} value={reason}>
            failed: {reason}
          </option>
        ))}
      </select>
    </label>
  );
}

const lengthFields: ReadonlySet<string> = new Set([
  'kcmNodeMonitorGraceDuration',
  'probeInterval',
  'internalProbeFailureBackOffDuration',
] satisfies readonly (keyof ImaginedConfig)[]);

function configured({ config }: Basis, name: keyof ImaginedConfig): string {
  const value = (config as Partial<ImaginedConfig> | undefined)?.[name];
  if (value === undefined) return '';
  return lengthFields.has(name) ? writeGoDuration(value) : String(value);
}

/** A shoot may have thousands of nodes. Whoever means another one writes its name. */
const mostShown = 20;

/** The leases one by one: how old they were, how old they would have been, and a field for another age. */
export function WhatIfLeases(props: Setting & Readonly<{ one: ShootTurnTaken | undefined; result: WhatIf }>) {
  const { form, set, refused, one, result } = props;
  const [filter, setFilter] = useState('');
  const leases = useMemo(() => leasesBeside(one?.after?.context, result), [one, result]);
  const found = leases.filter(({ node }) => node.includes(filter));
  const shown = found.slice(0, mostShown);
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
                  aria-invalid={refused.has(ageField(node))}
                  value={form[ageField(node)] ?? ''}
                  onInput={({ currentTarget }) => set(ageField(node), currentTarget.value)}
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
  if (lease.silent === null) return <>unreadable</>;
  if (!lease.expired) return <>{seconds(lease.silent)}</>;
  return (
    <span class="format-cutOff">
      <Mark shape="warning" tone="cutOff" /> {seconds(lease.silent)}, expired
    </span>
  );
}
