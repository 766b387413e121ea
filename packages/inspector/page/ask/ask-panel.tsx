import { Switch, CopyButton } from '../format/controls.tsx';
import type { ComponentChildren } from 'preact';
import { useCallback, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import {
  questionFields,
  readQuestion,
  type LinkedQuestion,
  type Question,
} from '../../model/questions/what-if-form.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import type { ShootTurnTaken } from '../../model/questions/why-not-obstacle.ts';
import { podNames, whyNotDeleted, whyNoWindow, type WeederTurnTaken } from '../../model/questions/why-not-service.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import type { Kind } from '../../wire/wire.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { changedLink, otherTurnLink, type MachineAddress } from '../client/address.ts';
import { Time } from '../format/time.tsx';
import { renewAddress } from '../client/browser-address.ts';
import { WhatIfPanel } from './what-if-panel.tsx';
import { WhyNotAnswer } from './why-not-answer.tsx';

/** What can be asked about the turn at `index` (view 6). `why`: what decided it, which is shown as long as nothing else is asked. */
export function AskPanel<Of extends Kind>(
  props: Readonly<{
    kind: Of;
    turns: readonly ReplayedTurn<Languages[Of]>[];
    index: number;
    address: MachineAddress;
    why: ComponentChildren;
  }>,
) {
  const { kind, turns, ...asking } = props;
  return kind === 'shoot' ? (
    <AskShootPanel turns={turns as readonly ShootTurnTaken[]} {...asking} />
  ) : (
    <AskServicePanel turns={turns as readonly WeederTurnTaken[]} {...asking} />
  );
}

type Asking<Turn> = Readonly<{
  turns: readonly Turn[];
  index: number;
  address: MachineAddress;
  why: ComponentChildren;
}>;

/** Whether an address asks anything of a turn; one that names an instant asks why nothing was done by then. */
function isAsked({ turn, hash }: MachineAddress): boolean {
  return turn?.before !== undefined || new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).has('ask');
}

const shootQuestions: Readonly<Record<'why' | Question, string>> = {
  why: 'Why',
  down: 'Why not scaled down?',
  up: 'Why not scaled up?',
  whatIf: 'What if?',
};

/** Why not, and what if, of a turn of a shoot. What is asked stands in the address, which names the turn from then on. */
function AskShootPanel({ turns, index, address, why }: Asking<ShootTurnTaken>) {
  const one = turns[index];
  const { hash } = address;
  const { question, form } = useMemo(() => readQuestion(hash), [hash]);
  const setAsked = (asked: LinkedQuestion) => {
    if (one !== undefined) renewAddress(askedLink(location.hash, one.turn, asked));
  };
  const link = () =>
    one === undefined ? location.href : new URL(askedLink(hash, one.turn, { question, form }), location.href).href;
  return (
    <Questions
      at={one?.turn.at}
      linked={address.turn}
      labels={shootQuestions}
      question={isAsked(address) ? question : 'why'}
      ask={(next) => (next === 'why' ? unask(one?.turn) : setAsked({ form, question: next }))}
      why={why}
      copy={<CopyButton text={link} what="to this question" label="Copy link" />}
    >
      {(answered) =>
        question === 'whatIf' ? (
          <WhatIfPanel
            turns={turns}
            index={index}
            form={form}
            answered={answered}
            setForm={(next) => setAsked({ question, form: next })}
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

/** Back to what decided it. */
function unask(turn: Parameters<typeof otherTurnLink>[1] | undefined): void {
  if (turn !== undefined) renewAddress(changedLink(otherTurnLink(location.hash, turn), { ask: '', pod: '' }));
}

/** The address of a question about a turn; what else it says of the view stays. */
function askedLink(hash: string, turn: ShootTurnTaken['turn'], asked: LinkedQuestion): string {
  return changedLink(otherTurnLink(hash, turn), questionFields(asked));
}

const serviceQuestions = {
  why: 'Why',
  pod: 'Why was this pod not deleted?',
  window: 'Why is no window open?',
} as const;

/** Why not, of a turn of a service. Any name of a pod may be written; those that are known can be chosen. */
function AskServicePanel({ turns, index, address, why }: Asking<WeederTurnTaken>) {
  const one = turns[index];
  const { hash } = address;
  const asked = new URLSearchParams(hash.slice(hash.indexOf('?') + 1));
  const question = asked.get('ask') === 'window' ? 'window' : 'pod';
  const name = asked.get('pod') ?? '';
  const renew = (ask: 'pod' | 'window', pod: string) => {
    if (one !== undefined) renewAddress(changedLink(otherTurnLink(location.hash, one.turn), { ask, pod }));
  };
  const names = useMemo(() => podNames(turns, index), [turns, index]);
  const list = useId();
  const pod = name.trim();
  return (
    <Questions
      at={one?.turn.at}
      linked={address.turn}
      labels={serviceQuestions}
      question={isAsked(address) ? question : 'why'}
      ask={(next) => (next === 'why' ? unask(one?.turn) : renew(next, name))}
      why={why}
    >
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
                onInput={({ currentTarget }) => renew('pod', currentTarget.value)}
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
 * The questions as buttons, and below them the answer to the one that is asked; the first is what decided the turn. A screen reader is told each answer but the first one, which nobody
 * asked for; what tells it stays from question to question. `at`: of the turn; `linked`: what the address asks for, which may be an instant behind it.
 */
function Questions<Question extends string>(
  props: Readonly<{
    at: Instant | undefined;
    linked: MachineAddress['turn'];
    labels: Readonly<Record<Question | 'why', string>>;
    question: Question | 'why';
    ask: (question: Question | 'why') => void;
    why: ComponentChildren;
    copy?: ComponentChildren;
    children: (answered: (answer: string) => void) => ComponentChildren;
  }>,
) {
  const { at, linked, labels, question, ask, why, copy, children } = props;
  const [said, say] = useState('');
  const known = useRef<string | undefined>(undefined);
  // From what decided the turn somebody asks the first question.
  if (question === 'why') known.current = '';
  const answered = useCallback((answer: string) => {
    if (known.current !== undefined && known.current !== answer) say(answer);
    known.current = answer;
  }, []);
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="flow">
        <h3 id="ask-heading" class="unseen">
          Ask about this turn
          {at !== undefined && (
            <>
              , <Time at={at} />
            </>
          )}
        </h3>
        <Switch label="Question" words={labels} chosen={question} choose={ask} look="ask-questions" />
        {linked?.before !== undefined && (
          <span class="quiet">
            the last one before <Time at={linked.before} />
          </span>
        )}
        {question !== 'why' && copy}
      </header>
      <p class="unseen" role="status">
        {said}
      </p>
      {question === 'why' ? why : children(answered)}
    </section>
  );
}
