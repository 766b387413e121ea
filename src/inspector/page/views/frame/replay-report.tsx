import { agreementWords } from '../../client/agreement.ts';
import { told } from '../../client/inspector-client.ts';
import { allNames, type Told } from '../../client/told.ts';
import { shownAgreement } from '../../client/shown-agreement.ts';
import { useStore } from '../../client/use-store.ts';
import { replayWhole, wholeReplay } from '../../client/whole-replay.ts';
import { turnLink } from '../../format/links.ts';
import { countText, numberText } from '../../format/number-text.ts';
import { Time } from '../../format/time.tsx';
import type { Replayed } from '../../../wire/wire.ts';

/** So many differences are named one by one: after the first few, they mean another version of the program. */
const mostNamed = 20;

/** What came of taking the recorded turns again, machine by machine (view 7). */
export function ReplayReport() {
  const replayed = useStore(told, replayedOf);
  return (
    <section aria-label="Replay">
      <h3>Replay</h3>
      {replayed === null ? <ReplayHere /> : <ReplayOfFiles replayed={replayed} />}
    </section>
  );
}

/** Of a process that runs: the page does it, with the machines that it holds. */
function ReplayHere() {
  const shown = useStore(shownAgreement, all);
  const whole = useStore(wholeReplay, all);
  const running = whole !== null && whole.done < whole.of;
  const first = whole?.agreement.first ?? shown?.first ?? null;
  return (
    <>
      <p>
        {shown === null
          ? 'The page takes the turns of a shoot or service again as soon as it is opened.'
          : `${shown.subject}: ${agreementWords(shown)}.`}
      </p>
      <p>
        <button type="button" disabled={running} onClick={() => void replayWhole(allNames(told.get()))}>
          Take all turns again
        </button>{' '}
        {whole !== null &&
          `${countText(whole.done, 'machine')} of ${numberText(whole.of)}: ${agreementWords(whole.agreement)}`}
      </p>
      {whole?.problem != null && <p>Not all could be asked for. {whole.problem}</p>}
      {first !== null && <Differences those={[first]} />}
    </>
  );
}

/** Of files: the server did it when it read them. */
function ReplayOfFiles({ replayed: { checked, withoutBeginning, differences } }: Readonly<{ replayed: Replayed }>) {
  return (
    <>
      <p>
        {countText(checked, 'turn')} taken again
        {withoutBeginning > 0 && `, ${numberText(withoutBeginning)} more without a beginning`}:{' '}
        {differences.length === 0
          ? 'all came out as recorded.'
          : 'these machines came out otherwise from this turn on.'}
      </p>
      {differences.length > 0 && <Differences those={differences} />}
    </>
  );
}

function Differences({ those }: Readonly<{ those: Replayed['differences'] }>) {
  return (
    <>
      <ul>
        {those.slice(0, mostNamed).map((one) => (
          <li key={`${one.kind} ${one.subject}`}>
            <a href={turnLink(one)}>{one.subject}</a> at <Time at={one.at} day />: another {one.in}
          </li>
        ))}
      </ul>
      {those.length > mostNamed && <p>and {numberText(those.length - mostNamed)} more</p>}
      <p>Another version of the program may have recorded them; then their guards are told as this version has them.</p>
    </>
  );
}

const replayedOf = ({ about }: Told) => about?.replayed ?? null;
const all = <State,>(state: State) => state;
