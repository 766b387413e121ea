import { useRef } from 'preact/hooks';
import { told } from '../../client/inspector-client.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { countText, numberText } from '../../format/number-text.ts';
import { Time } from '../../format/time.tsx';
import { ReplayReport } from './replay-report.tsx';

/** How many runs and sources are named one by one; a journal of weeks has many. */
const mostNamed = 20;

/** What is read, by whom, and whether a replay agrees. */
export function AboutDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const about = useStore(told, aboutOf);
  if (about === null) return null;
  const { version, live, sources, runs, turns, problems } = about;
  return (
    <>
      <button type="button" class="frame-plain" onClick={() => dialog.current?.showModal()}>
        {problems.length === 0 ? 'About' : `About: ${countText(problems.length, 'problem')}`}
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
          <dt>Page and machines</dt>
          <dd>dependency-watchdog {version}</dd>
          <dt>Reads</dt>
          <dd>{live ? 'a process that runs, from its memory' : sources.slice(0, mostNamed).join(', ')}</dd>
          {sources.length > mostNamed && <dd>and {numberText(sources.length - mostNamed)} more</dd>}
          <dt>Turns</dt>
          <dd>{numberText(turns)}</dd>
          <dt>Runs</dt>
          {runs.slice(-mostNamed).map(({ run, program, version: of, openedAt, journal }) => (
            <dd key={run}>
              {program} {of}, journal version {journal}, from <Time at={openedAt} day />, <code>{run}</code>
            </dd>
          ))}
          {runs.length > mostNamed && <dd>and {numberText(runs.length - mostNamed)} before them</dd>}
        </dl>
        <ReplayReport />
        {problems.length > 0 && (
          <>
            <h3>Missing</h3>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </>
        )}
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

const aboutOf = ({ about }: Told) => about;
