import type { PartAnswer } from '../../told/why-not-obstacle.ts';
import { Rules } from './rules.tsx';

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
