import { useEffect, useMemo } from 'preact/hooks';
import { whatIfOutage } from '../../model/imagined/what-if-outage.ts';
import { whatIf, type WhatIf } from '../../model/questions/what-if.ts';
import { basisOf, hasLeases, readForm, type WhatIfForm } from '../../model/questions/what-if-form.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { WhatIfFields, WhatIfLeases } from './what-if-fields.tsx';
import {
  shootCommandWords,
  shootEventWords,
  shootNoteWords,
} from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import type { Step } from '../../model/questions/what-if-branch.ts';
import { StateBadge } from '../format/mark.tsx';
import { Time } from '../format/time.tsx';

/** What the same machine would have decided, had the event of the turn at `index` been another. */
export function WhatIfPanel(
  props: Readonly<{
    turns: readonly ShootTurnTaken[];
    index: number;
    form: WhatIfForm;
    setForm: (form: WhatIfForm) => void;
    answered: (answer: string) => void;
  }>,
) {
  const { turns, index, form, setForm, answered } = props;
  const one = turns[index];
  const basis = useMemo(() => basisOf(one), [one]);
  const result = useMemo((): WhatIf => {
    const read = readForm(form);
    return read.ok ? whatIf(turns, index, read.changes) : read;
  }, [turns, index, form]);
  const outcome = useMemo(() => {
    const read = readForm(form);
    return read.ok ? whatIfOutage(turns, index, read.changes.config) : undefined;
  }, [turns, index, form]);
  const answer = result.ok ? (outcome ?? result.answer) : result.refused.map(({ sentence }) => sentence).join(' ');
  useEffect(() => answered(answer), [answer, answered]);
  const setting = {
    form,
    set: (field: string, text: string) => setForm({ ...form, [field]: text }),
    refused: new Set(result.ok ? [] : result.refused.map(({ field }) => field)),
  };
  return (
    <div class="ask-what-if">
      <WhatIfAnswer result={result} answer={answer} />
      <WhatIfFields {...setting} basis={basis} reset={() => setForm({})} />
      <WhatIfResult result={result} ofTurn={outcome !== undefined} />
      {hasLeases(basis) && <WhatIfLeases {...setting} one={one} result={result} />}
    </div>
  );
}

/** The answer, or why there is none: above the fields, where it is in sight while somebody writes into them. */
function WhatIfAnswer({ result, answer }: Readonly<{ result: WhatIf; answer: string }>) {
  if (result.ok) return <p class="ask-answer">{answer}</p>;
  return (
    <ul class="ask-refused">
      {result.refused.map(({ field, sentence }) => (
        <li key={field}>{sentence}</li>
      ))}
    </ul>
  );
}

/** What it did, beside what it would have done. `ofTurn`: above stands what becomes of the outage. */
function WhatIfResult({ result, ofTurn }: Readonly<{ result: WhatIf; ofTurn: boolean }>) {
  return (
    <div class="ask-result">
      {result.ok && ofTurn && <p class="quiet">At this turn alone: {result.answer}</p>}
      {result.ok && (
        <div class="ask-beside">
          <section class="ask-did" aria-label="What it did">
            <h3>What it did</h3>
            <Steps steps={result.did} other={result.would} />
          </section>
          <section class="ask-would" aria-label="What it would have done. This is not real.">
            <h3>
              What it would have done <strong class="ask-unreal">not real</strong>
            </h3>
            {result.assumed.map((sentence) => (
              <p key={sentence} class="quiet">
                {sentence}
              </p>
            ))}
            <Steps steps={result.would} other={result.did} />
          </section>
        </div>
      )}
    </div>
  );
}

function Steps({ steps, other }: Readonly<{ steps: readonly Step[]; other: readonly Step[] }>) {
  const known = new Set(other.flatMap((step) => linesOf(step)));
  return (
    <ol class="ask-steps">
      {steps.map((step, index) => (
        <li key={index}>
          <p>
            <Time at={step.event.at} /> {shootEventWords(step.event)} → <StateBadge kind="shoot" state={step.to} />
          </p>
          <ul>
            {linesOf(step).map((line) => (
              <li key={line} class={known.has(line) ? '' : 'ask-only'}>
                {line}
                {!known.has(line) && <span class="unseen"> (only here)</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function linesOf({ event: { at }, notes, commands }: Step): readonly string[] {
  return [
    ...notes.map((note) => shootNoteWords(note, at)),
    ...commands.map((command) => shootCommandWords(command, at)),
  ];
}
