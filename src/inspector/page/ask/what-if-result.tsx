import { shootCommandWords, shootEventWords, shootNoteWords } from '../../../adapters/words/shoot-words.ts';
import type { Step } from '../../told/what-if-course.ts';
import type { WhatIf } from '../../told/what-if.ts';
import { StateBadge } from '../format/state-badge.tsx';
import { Time } from '../format/time.tsx';

/** What it did, beside what it would have done; or why that cannot be said. */
export function WhatIfResult({ result }: Readonly<{ result: WhatIf }>) {
  return (
    <div class="ask-result">
      {result.ok ? (
        <p class="ask-answer">{result.answer}</p>
      ) : (
        <ul class="ask-refused">
          {result.refused.map(({ field, sentence }) => (
            <li key={field}>{sentence}</li>
          ))}
        </ul>
      )}
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
              <p key={sentence} class="ask-quiet">
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
