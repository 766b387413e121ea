import { useMemo, useState } from 'preact/hooks';
import { whatIf, type WhatIf } from '../../told/what-if.ts';
import { basisOf } from '../../told/what-if-basis.ts';
import { emptyForm, readForm, type WhatIfForm } from '../../told/what-if-form.ts';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { WhatIfFields } from './what-if-fields.tsx';
import { WhatIfLeases } from './what-if-leases.tsx';
import { WhatIfResult } from './what-if-result.tsx';

/** What the same machine would have decided, had the event of the turn at `index` been another. */
export function WhatIfPanel({ turns, index }: Readonly<{ turns: readonly ShootTurnTaken[]; index: number }>) {
  const one = turns[index];
  const turn = `${one?.turn.run}.${one?.turn.seq}`;
  const [kept, setKept] = useState<Readonly<{ turn: string; form: WhatIfForm }>>({ turn, form: emptyForm });
  // From turn to turn only the configuration stays: leases and answers belong to their turn.
  const form = kept.turn === turn ? kept.form : { ...emptyForm, config: kept.form.config };
  const basis = useMemo(() => basisOf(one), [one]);
  const result = useMemo((): WhatIf => {
    const read = readForm(form);
    return read.ok ? whatIf(turns, index, read.changes) : read;
  }, [turns, index, form]);
  const set = (change: Partial<WhatIfForm>) => setKept({ turn, form: { ...form, ...change } });

  return (
    <div class="ask-what-if">
      <WhatIfFields form={form} basis={basis} set={set} reset={() => setKept({ turn, form: emptyForm })} />
      <WhatIfResult result={result} />
      {basis.answer !== 'none' && <WhatIfLeases key={turn} form={form} one={one} result={result} set={set} />}
    </div>
  );
}
