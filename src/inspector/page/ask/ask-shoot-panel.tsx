import { useState } from 'preact/hooks';
import { questionQuery, questions, readQuestion, type Question } from '../../told/what-if-link.ts';
import { emptyForm, type WhatIfForm } from '../../told/what-if-form.ts';
import type { ShootTurnTaken } from '../../told/why-not-obstacle.ts';
import { CopyButton } from '../format/copy-button.tsx';
import { turnLink } from '../format/links.ts';
import { useSaid } from './use-said.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WhyNotAnswer } from './why-not-answer.tsx';

const labels: Readonly<Record<Question, string>> = {
  down: 'Why not scaled down?',
  up: 'Why not scaled up?',
  whatIf: 'What if?',
};

/** Why not, and what if, of the turn at `index` of a shoot. A link may ask, too. */
export function AskShootPanel({ turns, index }: Readonly<{ turns: readonly ShootTurnTaken[]; index: number }>) {
  const one = turns[index];
  const turn = `${one?.turn.run}.${one?.turn.seq}`;
  const [asked, setAsked] = useState(() => ({ turn, ...readQuestion(location.hash) }));
  const [said, answered] = useSaid();
  const { question } = asked;
  // From turn to turn only the configuration stays: leases and answers belong to their turn.
  const form: WhatIfForm = asked.turn === turn ? asked.form : { ...emptyForm, config: asked.form.config };
  const link = () =>
    one === undefined
      ? location.href
      : new URL(`${turnLink(one.turn)}&${questionQuery({ question, form })}`, location.href).href;
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="ask-header">
        <h2 id="ask-heading">Ask about this turn</h2>
        <CopyButton text={link} what="to this question" label="Copy link" />
        <div class="ask-questions" role="group" aria-label="Question">
          {questions.map((ask) => (
            <button
              key={ask}
              type="button"
              aria-pressed={ask === question}
              onClick={() => setAsked({ turn, form, question: ask })}
            >
              {labels[ask]}
            </button>
          ))}
        </div>
      </header>
      <p class="unseen" role="status">
        {said}
      </p>
      {question === 'whatIf' ? (
        <WhatIfPanel
          turns={turns}
          index={index}
          form={form}
          answered={answered}
          setForm={(next) => setAsked({ turn, question, form: next })}
        />
      ) : (
        <WhyNotAnswer turns={turns} index={index} direction={question} answered={answered} />
      )}
    </section>
  );
}
