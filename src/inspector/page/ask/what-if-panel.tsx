import { useEffect, useMemo } from 'preact/hooks';
import { whatIf, type WhatIf } from '../../told/what-if.ts';
import { basisOf, hasLeases } from '../../told/what-if-basis.ts';
import { emptyForm, readForm, type WhatIfForm } from '../../told/what-if-form.ts';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { WhatIfFields } from './what-if-fields.tsx';
import { WhatIfLeases } from './what-if-leases.tsx';
import { WhatIfResult } from './what-if-result.tsx';

/** What the same machine would have decided, had the event of the turn at `index` been another. */
export function WhatIfPanel({
  turns,
  index,
  form,
  setForm,
  answered,
}: Readonly<{
  turns: readonly ShootTurnTaken[];
  index: number;
  form: WhatIfForm;
  setForm: (form: WhatIfForm) => void;
  answered: (answer: string) => void;
}>) {
  const one = turns[index];
  const basis = useMemo(() => basisOf(one), [one]);
  const result = useMemo((): WhatIf => {
    const read = readForm(form);
    return read.ok ? whatIf(turns, index, read.changes) : read;
  }, [turns, index, form]);
  const answer = result.ok ? result.answer : result.refused.map(({ sentence }) => sentence).join(' ');
  useEffect(() => answered(answer), [answer, answered]);
  const set = (change: Partial<WhatIfForm>) => setForm({ ...form, ...change });
  return (
    <div class="ask-what-if">
      <WhatIfFields
        form={form}
        basis={basis}
        set={set}
        reset={() => setForm(emptyForm)}
        refused={new Set(result.ok ? [] : result.refused.map(({ field }) => field))}
      />
      <WhatIfResult result={result} />
      {hasLeases(basis) && <WhatIfLeases form={form} one={one} result={result} set={set} />}
    </div>
  );
}
