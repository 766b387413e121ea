import { TableHead } from '../format/controls.tsx';
import { useEffect, useMemo } from 'preact/hooks';
import { ruleWords, type Rule } from '../../model/explanation/rules.ts';
import type { Obstacle, PartAnswer, WhyNot } from '../../model/questions/why-not-obstacle.ts';
import { turnLink } from '../client/address.ts';
import { TurnFacts } from '../turn/turn-facts.tsx';

/**
 * The answer with what it goes by; below it what else stood in the way, in order, and each part by itself, a dependant or a pod. `by`: what the answer depends
 * on. `noun` heads the column of the parts' names, `heading` stands above them.
 */
export function WhyNotAnswer(
  props: Readonly<{
    ask: () => WhyNot;
    by: readonly unknown[];
    answered: (answer: string) => void;
    noun: string;
    heading: string;
  }>,
) {
  const { ask, by, answered, noun, heading } = props;
  const { answer, obstacles, parts } = useMemo(ask, by);
  useEffect(() => answered(answer), [answer, answered]);
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
      {parts.length > 0 && <Parts parts={parts} noun={noun} heading={heading} />}
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

function Parts({ parts, noun, heading }: Readonly<{ parts: WhyNot['parts']; noun: string; heading: string }>) {
  return (
    <>
      <h3 id="ask-parts">{heading}</h3>
      <table aria-labelledby="ask-parts">
        <TableHead columns={[noun, 'Is', 'Because']} />
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
    <span class="quiet">
      {rules.length === 1 ? 'rule' : 'rules'} {rules.map(ruleWords).join('; ')}
    </span>
  );
}
