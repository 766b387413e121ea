import { told } from '../../client/inspector-client.ts';
import { agreementWords } from '../../client/agreement.ts';
import { shownAgreement } from '../../client/shown-agreement.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { turnLink } from '../../format/links.ts';
import { countText, numberText } from '../../format/number-text.ts';
import { Time } from '../../format/time.tsx';

/** So many differences are named one by one: after the first few, they mean another version of the program. */
const mostNamed = 20;

/** What came of taking the recorded turns again, machine by machine (view 7). */
export function ReplayReport() {
  const replayed = useStore(told, replayedOf);
  const shown = useStore(shownAgreement, all);
  const differences = replayed?.differences ?? (shown?.first == null ? [] : [shown.first]);
  return (
    <section aria-label="Replay">
      <h3>Replay</h3>
      {replayed === null ? (
        <p>
          {shown === null
            ? 'The page takes the turns of a shoot or service again as soon as it is opened.'
            : `${shown.subject}: ${agreementWords(shown)}.`}
        </p>
      ) : (
        <p>
          {countText(replayed.checked, 'turn')} taken again
          {replayed.withoutBeginning > 0 && `, ${numberText(replayed.withoutBeginning)} more without a beginning`}:{' '}
          {differences.length === 0
            ? 'all came out as recorded.'
            : 'these machines came out otherwise from this turn on.'}
        </p>
      )}
      <ul>
        {differences.slice(0, mostNamed).map((one) => (
          <li key={`${one.kind} ${one.subject}`}>
            <a href={turnLink(one)}>{one.subject}</a> at <Time at={one.at} day />: another {one.in}
          </li>
        ))}
      </ul>
      {differences.length > mostNamed && <p>and {numberText(differences.length - mostNamed)} more</p>}
      {differences.length > 0 && (
        <p>
          Another version of the program may have recorded them; then their guards are told as this version has them.
        </p>
      )}
    </section>
  );
}

const replayedOf = ({ about }: Told) => about?.replayed ?? null;
const all = <State,>(state: State) => state;
