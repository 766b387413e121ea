import { useRef } from 'preact/hooks';
import { serverState } from '../../client/inspector-client.ts';
import { allNames } from '../../client/server-state.ts';
import { useStore } from '../../client/store.ts';
import { countText, numberText } from '../../format/texts.ts';
import { Time } from '../../format/time.tsx';
import { agreementWords, shownAgreement, replayWhole, wholeReplay } from '../../client/replay.ts';
import { turnLink } from '../../client/address.ts';
import type { Replayed } from '../../../wire/wire.ts';

/** How many runs and sources are named one by one; a journal of weeks has many. */
const mostNamed = 20;

/** What is read, by whom, and whether a replay agrees. */
export function AboutDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const about = useStore(serverState, ({ about }) => about);
  if (about === null) return null;
  const { version, live, sources, runs, turns } = about;
  return (
    <>
      <button type="button" class="frame-plain" onClick={() => dialog.current?.showModal()}>
        About
      </button>
      <dialog
        ref={dialog}
        class="frame-dialog"
        aria-labelledby="frame-about"
        // A link leads to a view, which would lie behind the dialog.
        onClick={({ target }) => target instanceof Element && target.closest('a') !== null && dialog.current?.close()}
      >
        <h2 id="frame-about">What this page shows</h2>
        <dl class="frame-list">
          <dt class="quiet">Page and machines</dt>
          <dd>dependency-watchdog {version}</dd>
          <dt class="quiet">Reads</dt>
          <dd>{live ? 'a process that runs, from its memory' : sources.slice(0, mostNamed).join(', ')}</dd>
          {sources.length > mostNamed && <dd>and {numberText(sources.length - mostNamed)} more</dd>}
          <dt class="quiet">Turns</dt>
          <dd>{numberText(turns)}</dd>
          <dt class="quiet">Runs</dt>
          {runs.slice(-mostNamed).map(({ run, program, version: of, openedAt, journal }) => (
            <dd key={run}>
              {program} {of}, journal version {journal}, from <Time at={openedAt} day />, <code>{run}</code>
            </dd>
          ))}
          {runs.length > mostNamed && <dd>and {numberText(runs.length - mostNamed)} before them</dd>}
        </dl>
        <ReplayReport />
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

/** So many differences are named one by one: after the first few, they mean another version of the program. */
const mostDifferences = 20;

/** What came of replaying the recorded turns, machine by machine (view 7). */
function ReplayReport() {
  const replayed = useStore(serverState, ({ about }) => about?.replayed ?? null);
  return (
    <section aria-label="Replay">
      <h3>Replay</h3>
      {replayed === null ? <ReplayHere /> : <ReplayOfFiles replayed={replayed} />}
    </section>
  );
}

/** Of a process that runs: the page does it, with the machines that it holds. */
function ReplayHere() {
  const shown = useStore(shownAgreement);
  const whole = useStore(wholeReplay);
  const running = whole !== null && whole.done < whole.of;
  const first = whole?.agreement.first ?? shown?.first ?? null;
  return (
    <>
      <p>
        {shown === null
          ? 'The page replays the turns of a shoot or service as soon as it is opened.'
          : `${shown.subject}: ${agreementWords(shown)}.`}
      </p>
      <p>
        <button type="button" disabled={running} onClick={() => void replayWhole(allNames(serverState.get()))}>
          Replay all turns
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
        {countText(checked, 'turn')} replayed
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
        {those.slice(0, mostDifferences).map((one) => (
          <li key={`${one.kind} ${one.subject}`}>
            <a href={turnLink(one)}>{one.subject}</a> at <Time at={one.at} day />: another {one.in}
          </li>
        ))}
      </ul>
      {those.length > mostDifferences && <p>and {numberText(those.length - mostDifferences)} more</p>}
      <p>Another version of the program may have recorded them; then their guards are told as this version has them.</p>
    </>
  );
}
