import type { ContextChange, ContextValue } from '../../told/explanation.ts';
import { Time } from '../format/time.tsx';
import { numberText } from '../format/number-text.ts';

/** What the machine remembers after the turn, and what it remembered before. */
export function TurnChanges({ changes, leftOut }: Readonly<{ changes: readonly ContextChange[]; leftOut: number }>) {
  return (
    <section class="turn-changes">
      <h3>What the machine remembers</h3>
      {changes.length === 0 ? (
        <p class="turn-quiet">The same as before.</p>
      ) : (
        <table aria-label="What the machine remembers, before and after">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, before, after }, index) => (
              <tr key={index}>
                <th scope="row">{path}</th>
                <td class="turn-quiet">
                  <Value {...before} />
                </td>
                <td>
                  <Value {...after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut > 0 && <p class="turn-quiet">{numberText(leftOut)} more changes are left out. The line has them all.</p>}
    </section>
  );
}

function Value({ text, at }: ContextValue) {
  return at === undefined ? <>{text}</> : <Time at={at} />;
}
