import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import type { DependantAnswer } from '../../told/why-not-obstacle.ts';
import { Rules } from './rules.tsx';

const words: Readonly<Record<DependantAnswer['is'], string>> = {
  scaled: 'scaled',
  underWay: 'under way',
  waiting: 'waits',
  done: 'nothing to do',
  hindered: 'hindered',
};

/** Each dependant by itself, in the order of the levels. */
export function WhyNotDependants({
  dependants,
  direction,
}: Readonly<{ dependants: readonly DependantAnswer[]; direction: ScaleDirection }>) {
  return (
    <>
      <h3 id="ask-dependants">Each dependant, in the order in which they go {direction}</h3>
      <table class="ask-table" aria-labelledby="ask-dependants">
        <thead>
          <tr>
            <th scope="col">Dependant</th>
            <th scope="col">Stood</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {dependants.map(({ key, name, is, sentence, rules }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{words[is]}</td>
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
