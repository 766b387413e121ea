import { useEffect, useMemo } from 'preact/hooks';
import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import { whyNotScaled } from '../../model/questions/why-not.ts';
import type { ShootTurnTaken, Obstacle, WhyNot, PartAnswer } from '../../model/questions/why-not-obstacle.ts';
import { turnLink } from '../client/address.ts';
import { TurnFacts } from '../turn/turn-facts.tsx';
import { ruleWords, type Rule } from '../../model/explanation/rules.ts';

/** What stood in the way of scaling down, or up, where the turn at `index` had ended. */
export function WhyNotAnswer({
  turns,
  index,
  direction,
  answered,
}: Readonly<{
  turns: readonly ShootTurnTaken[];
  index: number;
  direction: ScaleDirection;
  answered: (answer: string) => void;
}>) {
  const { answer, obstacles, parts } = useMemo(() => whyNotScaled(turns, index, direction), [turns, index, direction]);
  useEffect(() => answered(answer), [answer, answered]);
  return (
    <>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
      <WhyNotParts
        parts={parts}
        noun="Dependant"
        heading={`Each dependant, in the order in which they go ${direction}`}
      />
    </>
  );
}

/** The answer with what it goes by; below it what else stood in the way, in order. */
export function WhyNotObstacles({ answer, obstacles }: Pick<WhyNot, 'answer' | 'obstacles'>) {
  const [first, ...others] = obstacles;
  return (
    <>
      <p class="ask-answer">{answer}</p>
      {first !== undefined && <Grounds {...first} />}
      {others.length > 0 && (
        <>
          <h3>What stood in the way after that</h3>
          <ol class="ask-obstacles">
            {others.map((one) => (
              <li key={one.kind}>
                <p>{one.sentence}</p>
                <Grounds {...one} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

/** Its rules, what was compared, and the turn that it is about. */
function Grounds({ saw, rules, turn }: Obstacle) {
  return (
    <>
      <p>
        <Rules rules={rules} />
        {turn !== undefined && (
          <>
            {' · '}
            <a href={turnLink(turn)}>turn {turn.seq}, which decided it</a>
          </>
        )}
      </p>
      <TurnFacts facts={saw} />
    </>
  );
}

const words: Readonly<Record<PartAnswer['is'], string>> = {
  did: 'done now',
  underWay: 'under way',
  waiting: 'waits',
  done: 'nothing to do',
  hindered: 'hindered',
};

/** Each dependant, or pod, by itself. `noun` heads the column of their names. */
export function WhyNotParts({
  parts,
  noun,
  heading,
}: Readonly<{ parts: readonly PartAnswer[]; noun: string; heading: string }>) {
  if (parts.length === 0) return null;
  return (
    <>
      <h3 id="ask-parts">{heading}</h3>
      <table class="ask-table" aria-labelledby="ask-parts">
        <thead>
          <tr>
            <th scope="col">{noun}</th>
            <th scope="col">Is</th>
            <th scope="col">Because</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ key, name, is, sentence, rules }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td class="ask-word">{words[is]}</td>
              <td>
                {sentence} <Rules rules={rules} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The rules of docs/specification.md that something goes by. */
function Rules({ rules }: Readonly<{ rules: readonly Rule[] }>) {
  return (
    <span class="ask-rules">
      {rules.length === 1 ? 'rule' : 'rules'} {rules.map(ruleWords).join('; ')}
    </span>
  );
}
