import { writeGoDuration } from '../../../domain/go-duration.ts';
import { hasLeases, type Basis } from '../../model/questions/what-if-basis.ts';
import { failureReasons, type ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import { emptyForm, questionQuery, type WhatIfForm } from '../../model/questions/what-if-form.ts';

/** A kubelet renews every 10 s, so a lease is half as old as that on average. */
const freshAge = '5s';

type Setting = Readonly<{
  form: WhatIfForm;
  basis: Basis;
  set: (change: Partial<WhatIfForm>) => void;
  reset: () => void;
  /** Names of the fields that cannot be used. */
  refused: ReadonlySet<string>;
}>;

/** The fields of what is imagined; an empty one leaves all as it was. */
export function WhatIfFields({ form, basis, set, reset, refused }: Setting) {
  const isAsItWas =
    questionQuery({ question: 'whatIf', form }) === questionQuery({ question: 'whatIf', form: emptyForm });
  return (
    <form class="ask-fields" onSubmit={(event) => event.preventDefault()} aria-label="What is imagined otherwise">
      {hasLeases(basis) && <AnswerFields form={form} basis={basis} set={set} refused={refused} />}
      {basis.answer === 'paths' &&
        (['internal', 'external'] as const).map((path) => (
          <AnswerField
            key={path}
            label={`${path} path`}
            value={form[path]}
            isRefused={refused.has(path)}
            choose={(answer) => set({ [path]: answer })}
          />
        ))}
      {basis.fields.map((name) => (
        <label key={name}>
          <span class="quiet">{name}</span>
          <input
            type="text"
            size={7}
            autoComplete="off"
            value={form.config[name] ?? ''}
            placeholder={placeholder(basis, name)}
            aria-invalid={refused.has(name)}
            onInput={({ currentTarget }) => set({ config: { ...form.config, [name]: currentTarget.value } })}
          />
        </label>
      ))}
      <div class="flow ask-quick">
        {hasLeases(basis) && <QuickAges basis={basis} set={set} />}
        <button type="button" disabled={isAsItWas} onClick={reset}>
          All as it was
        </button>
      </div>
    </form>
  );
}

function AnswerFields({ form, basis, set, refused }: Omit<Setting, 'reset'>) {
  return (
    <>
      <AnswerField
        label={`answer${basis.answer === 'look' ? ' of the look' : ''}`}
        value={form.answer}
        isRefused={refused.has('answer')}
        choose={(answer) => set({ answer })}
      />
      <label>
        <span class="quiet">age of all leases</span>
        <input
          type="text"
          size={7}
          autoComplete="off"
          value={form.allAges}
          placeholder="as it was"
          aria-invalid={refused.has('allAges')}
          onInput={({ currentTarget }) => set({ allAges: currentTarget.value })}
        />
      </label>
    </>
  );
}

function AnswerField(
  props: Readonly<{ label: string; value: string; isRefused: boolean; choose: (answer: string) => void }>,
) {
  const { label, value, isRefused, choose } = props;
  return (
    <label>
      <span class="quiet">{label}</span>
      <select aria-invalid={isRefused} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
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

function QuickAges({ basis: { expiredFrom }, set }: Pick<Setting, 'basis' | 'set'>) {
  const expired = expiredFrom === undefined ? undefined : writeGoDuration(expiredFrom);
  return (
    <>
      <button type="button" disabled={expired === undefined} onClick={() => set({ allAges: expired ?? '' })}>
        All expired
      </button>
      <button type="button" onClick={() => set({ allAges: freshAge })}>
        All fresh
      </button>
    </>
  );
}

const lengthFields: ReadonlySet<string> = new Set([
  'kcmNodeMonitorGraceDuration',
  'probeInterval',
  'internalProbeFailureBackOffDuration',
] satisfies readonly (keyof ImaginedConfig)[]);

function placeholder({ config }: Basis, name: keyof ImaginedConfig): string {
  const value = (config as Partial<ImaginedConfig> | undefined)?.[name];
  if (value === undefined) return '';
  return lengthFields.has(name) ? writeGoDuration(value) : String(value);
}
