import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/store.ts';
import { countText } from '../../format/texts.ts';
import type { Reading } from '../../../wire/wire.ts';

/** So many sentences stand above each view; the others are a click away. */
const mostShown = 2;

/** What is not there, where somebody would look for it: above each view. */
export function LeftOut() {
  const problems = useStore(serverState, ({ about }) => about?.problems ?? null);
  const some = useStore(serverState, ({ about }) => about?.reading != null && about.reading.doing !== 'replay');
  if (problems === null || (problems.length === 0 && !some)) return null;
  const more = problems.slice(mostShown);
  return (
    <section class="frame-notice" aria-label="What is left out">
      {some && <p>The files are still being read, the newest first: what is older comes in a moment.</p>}
      {problems.slice(0, mostShown).map((problem) => (
        <p key={problem}>Left out: {problem}.</p>
      ))}
      {more.length > 0 && (
        <details>
          <summary>{countText(more.length, 'more sentence')} on what is left out</summary>
          <ul>
            {more.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const doings: Readonly<Record<Reading['doing'], string>> = { newest: 'read', all: 'read', replay: 'replayed' };

/** How far the files are read. */
export function ReadingBadge() {
  const reading = useStore(serverState, ({ about }) => about?.reading ?? null);
  if (reading === null) return null;
  return (
    <span class="format-badge format-busy">
      {reading.percent} % {doings[reading.doing]}
    </span>
  );
}
