import { Switch, CopyButton } from '../format/controls.tsx';
import type { ComponentChildren } from 'preact';
import { useCallback, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Languages } from '../../../machines/kinds.ts';
import { configOf, questionQuery, readQuestion, type Question } from '../../model/questions/what-if-form.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { podNames, whyNotDeleted, whyNoWindow, type WeederTurnTaken } from '../../model/questions/why-not-service.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import { turnLink } from '../client/address.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WhyNotAnswer } from './why-not-answer.tsx';

/** What can be asked about the turn at `index` (view 6). */
export function AskPanel<Of extends Kind>(
  props: Readonly<{ kind: Of; turns: readonly ReplayedTurn<Languages[Of]>[]; index: number }>,
) {
  const { kind, turns, index } = props;
  return kind === 'shoot' ? (
    <AskShootPanel turns={turns as readonly ShootTurnTaken[]} index={index} />
  ) : (
    <AskServicePanel turns={turns as readonly WeederTurnTaken[]} index={index} />
  );
}

const shootQuestions: Readonly<Record<Question, string>> = {
  down: 'Why not scaled down?',
  up: 'Why not scaled up?',
  whatIf: 'What if?',
};

/** Why not, and what if, of a turn of a shoot. A link may ask, too. */
function AskShootPanel({ turns, index }: Readonly<{ turns: readonly ShootTurnTaken[]; index: number }>) {
  const one = turns[index];
  const turn = `${one?.turn.run}.${one?.turn.seq}`;
  const [asked, setAsked] = useState(() => ({ turn, ...readQuestion(location.hash) }));
  const { question } = asked;
  // From turn to turn only the configuration stays: leases and answers belong to their turn.
  const form = asked.turn === turn ? asked.form : configOf(asked.form);
  const link = () =>
    one === undefined
      ? location.href
      : new URL(`${turnLink(one.turn)}&${questionQuery({ question, form })}`, location.href).href;
  return (
    <Questions
      labels={shootQuestions}
      question={question}
      ask={(next) => setAsked({ turn, form, question: next })}
      copy={<CopyButton text={link} what="to this question" label="Copy link" />}
    >
      {(answered) =>
        question === 'whatIf' ? (
          <WhatIfPanel
            turns={turns}
            index={index}
            form={form}
            answered={answered}
            setForm={(next) => setAsked({ turn, question, form: next })}
          />
        ) : (
          <WhyNotAnswer
            ask={() => whyNotScaled(turns, index, question)}
            by={[turns, index, question]}
            answered={answered}
            noun="Dependant"
            heading={`Each dependant, in the order in which they go ${question}`}
          />
        )
      }
    </Questions>
  );
}

const serviceQuestions = { pod: 'Why was this pod not deleted?', window: 'Why is no window open?' } as const;

/** Why not, of a turn of a service. Any name of a pod may be written; those that are known can be chosen. */
function AskServicePanel({ turns, index }: Readonly<{ turns: readonly WeederTurnTaken[]; index: number }>) {
  const [question, ask] = useState<keyof typeof serviceQuestions>('pod');
  const [name, setName] = useState('');
  const names = useMemo(() => podNames(turns, index), [turns, index]);
  const list = useId();
  const pod = name.trim();
  return (
    <Questions labels={serviceQuestions} question={question} ask={ask}>
      {(answered) => (
        <>
          {question === 'pod' && (
            <label class="ask-pod">
              <span class="quiet">Pod</span>
              <input
                type="text"
                autoComplete="off"
                list={list}
                placeholder="all that are known"
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
              <datalist id={list}>
                {names.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            </label>
          )}
          <WhyNotAnswer
            ask={() => (question === 'pod' ? whyNotDeleted(turns, index, pod) : whyNoWindow(turns, index))}
            by={[turns, index, question, pod]}
            answered={answered}
            noun="Pod"
            heading="Each pod, the last one first"
          />
        </>
      )}
    </Questions>
  );
}

/**
 * The questions as buttons, and below them the answer to the one that is asked. A screen reader is told each answer but the first one, which nobody
 * asked for; what tells it stays from question to question.
 */
function Questions<Question extends string>(
  props: Readonly<{
    labels: Readonly<Record<Question, string>>;
    question: Question;
    ask: (question: Question) => void;
    copy?: ComponentChildren;
    children: (answered: (answer: string) => void) => ComponentChildren;
  }>,
) {
  const { labels, question, ask, copy, children } = props;
  const [said, say] = useState('');
  const known = useRef<string | undefined>(undefined);
  const answered = useCallback((answer: string) => {
    if (known.current !== undefined && known.current !== answer) say(answer);
    known.current = answer;
  }, []);
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="flow">
        <h2 id="ask-heading">Ask about this turn</h2>
        {copy}
        <Switch label="Question" words={labels} chosen={question} choose={ask} look="ask-questions" />
      </header>
      <p class="unseen" role="status">
        {said}
      </p>
      {children(answered)}
    </section>
  );
}
