import type { Languages, ShootLanguage, WeederLanguage } from '../../../machines/kinds.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import { useCallback, useRef, useState, useEffect, useId, useMemo } from 'preact/hooks';
import {
  questionQuery,
  questions,
  readQuestion,
  emptyForm,
  type Question,
  type WhatIfForm,
} from '../../model/questions/what-if-form.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { CopyButton } from '../format/copy-button.tsx';
import { turnLink } from '../client/address.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WhyNotAnswer, WhyNotObstacles, WhyNotParts } from './why-not-answer.tsx';
import { podNames, whyNotDeleted, whyNoWindow, type WeederTurnTaken } from '../../model/questions/why-not-service.ts';

/** What can be asked about the turn at `index` (view 6). */
export function AskPanel<Of extends Kind>({
  kind,
  turns,
  index,
}: Readonly<{ kind: Of; turns: readonly ReplayedTurn<Languages[Of]>[]; index: number }>) {
  return kind === 'shoot' ? (
    <AskShootPanel turns={turns as readonly ReplayedTurn<ShootLanguage>[]} index={index} />
  ) : (
    <AskServicePanel turns={turns as readonly ReplayedTurn<WeederLanguage>[]} index={index} />
  );
}

/** What a screen reader is told: each answer but the first one, which nobody asked for. It must be shown where it stays from question to question. */
function useSaid(): readonly [said: string, answered: (answer: string) => void] {
  const [said, say] = useState('');
  const known = useRef<string | undefined>(undefined);
  const answered = useCallback((answer: string) => {
    if (known.current !== undefined && known.current !== answer) say(answer);
    known.current = answer;
  }, []);
  return [said, answered];
}

const labels: Readonly<Record<Question, string>> = {
  down: 'Why not scaled down?',
  up: 'Why not scaled up?',
  whatIf: 'What if?',
};

/** Why not, and what if, of the turn at `index` of a shoot. A link may ask, too. */
function AskShootPanel({ turns, index }: Readonly<{ turns: readonly ShootTurnTaken[]; index: number }>) {
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

type Asked = Readonly<{ turns: readonly WeederTurnTaken[]; index: number; answered: (answer: string) => void }>;

/** Why not, of the turn at `index` of a service (view 6). */
function AskServicePanel({ turns, index }: Omit<Asked, 'answered'>) {
  const [said, answered] = useSaid();
  const [asked, setAsked] = useState<'pod' | 'window'>('pod');
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="ask-header">
        <h2 id="ask-heading">Ask about this turn</h2>
        <div class="ask-questions" role="group" aria-label="Question">
          <button type="button" aria-pressed={asked === 'pod'} onClick={() => setAsked('pod')}>
            Why was this pod not deleted?
          </button>
          <button type="button" aria-pressed={asked === 'window'} onClick={() => setAsked('window')}>
            Why is no window open?
          </button>
        </div>
      </header>
      <p class="unseen" role="status">
        {said}
      </p>
      {asked === 'pod' ? (
        <PodAnswer turns={turns} index={index} answered={answered} />
      ) : (
        <WindowAnswer turns={turns} index={index} answered={answered} />
      )}
    </section>
  );
}

function PodAnswer({ turns, index, answered }: Asked) {
  const [name, setName] = useState('');
  const list = useId();
  const names = useMemo(() => podNames(turns, index), [turns, index]);
  const { answer, obstacles, parts } = useMemo(() => whyNotDeleted(turns, index, name.trim()), [turns, index, name]);
  useEffect(() => answered(answer), [answer, answered]);
  return (
    <>
      <label class="ask-pod">
        <span>Pod</span>
        <input
          type="text"
          autoComplete="off"
          list={list}
          placeholder="all that are known"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
      <WhyNotParts parts={parts} noun="Pod" heading="Each pod, the last one first" />
    </>
  );
}

function WindowAnswer({ turns, index, answered }: Asked) {
  const { answer, obstacles } = useMemo(() => whyNoWindow(turns, index), [turns, index]);
  useEffect(() => answered(answer), [answer, answered]);
  return (
    <>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
    </>
  );
}
