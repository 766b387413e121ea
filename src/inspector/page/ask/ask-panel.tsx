import { useState } from 'preact/hooks';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WhyNotAnswer } from './why-not-answer.tsx';

const questions = [
  { ask: 'down', label: 'Why not scaled down?' },
  { ask: 'up', label: 'Why not scaled up?' },
  { ask: 'whatIf', label: 'What if?' },
] as const;

/** Why not, and what if, of the turn at `index` of a shoot (view 6). */
export function AskPanel({ turns, index }: Readonly<{ turns: readonly ShootTurnTaken[]; index: number }>) {
  const [asked, setAsked] = useState<(typeof questions)[number]['ask']>('down');
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="ask-header">
        <h2 id="ask-heading">Ask about this turn</h2>
        <div class="ask-questions" role="group" aria-label="Question">
          {questions.map(({ ask, label }) => (
            <button key={ask} type="button" aria-pressed={ask === asked} onClick={() => setAsked(ask)}>
              {label}
            </button>
          ))}
        </div>
      </header>
      {asked === 'whatIf' ? (
        <WhatIfPanel turns={turns} index={index} />
      ) : (
        <WhyNotAnswer turns={turns} index={index} direction={asked} />
      )}
    </section>
  );
}
