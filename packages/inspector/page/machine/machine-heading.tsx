import type { Kind } from '../../wire/wire.ts';
import { carried } from '../client/carried.ts';
import { machineLink, machinePath } from '../client/address.ts';
import { serverState } from '../client/inspector-client.ts';
import { allNames, findNames } from '../client/server-state.ts';
import { useStore } from '../client/store.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { MachineEpisodes } from './machine-episodes.tsx';
import { OthersThen } from './others-then.tsx';
import { countText } from '../format/texts.ts';
import { StateBadge } from '../format/mark.tsx';
import { Time } from '../format/time.tsx';
import type { Loaded, TurnLoader } from './turn-loader.ts';

/** What is shown: which machine, how it stands, and of which time its turns are. Whether they come out as recorded is said above. */
export function MachineHeading<Of extends Kind>({
  kind,
  subject,
  loaded: { timeline, earlier, later, doing, problem },
  loader,
  live,
  at,
  pinned,
  missing,
}: Readonly<{
  kind: Of;
  subject: string;
  loaded: Loaded<Of>;
  loader: TurnLoader | undefined;
  live: boolean;
  /** Of the turn that is shown. */
  at: Instant | null;
  /** The address names a turn. */
  pinned: boolean;
  /** Which turn is shown in its place where it is not among those that are here. */
  missing: 'nearest' | 'first' | null;
}>) {
  const { turns } = timeline;
  const [first, last] = [turns[0], turns.at(-1)];
  return (
    <header class="machine-heading">
      <div class="flow">
        <h1>{subject}</h1>
        {last === undefined ? null : <StateBadge kind={kind} state={last.turn.to} />}
        {first === undefined || last === undefined ? null : (
          <span class="quiet machine-span">
            {countText(turns.length, 'turn')}, <Time at={first.turn.at} day /> to <Time at={last.turn.at} />
          </span>
        )}
        <span class="quiet" role="status">
          {doing}
        </span>
        {missing === null ? null : (
          <span class="machine-problem" role="status">
            {missing === 'nearest'
              ? 'The linked turn is not recorded here'
              : 'Nothing is recorded from before that instant'}
            ; {turns.length === 0 ? 'there is none' : `the ${missing} one is shown`}.
          </span>
        )}
        {problem === null ? null : (
          <span class="machine-problem" role="alert">
            {problem}
          </span>
        )}
        <span class="flow machine-loading">
          {first === undefined || last === undefined || carried !== undefined ? null : (
            <a
              href={`${machinePath(kind, subject)}/journal?from=${Math.floor(first.turn.at)}&until=${Math.ceil(last.turn.at)}`}
            >
              Journal of these turns
            </a>
          )}
          {live && pinned ? <a href={machineLink(kind, subject)}>Follow the newest turn</a> : null}
          {earlier ? (
            <button type="button" disabled={doing !== null} onClick={() => loader?.loadEarlier()}>
              Earlier turns
            </button>
          ) : null}
          {later ? (
            <button type="button" disabled={doing !== null} onClick={() => loader?.loadLatest()}>
              Newest turns
            </button>
          ) : null}
        </span>
      </div>
      <MachineEpisodes kind={kind} subject={subject} at={at} />
      {at === null ? null : <OthersThen kind={kind} subject={subject} at={at} />}
    </header>
  );
}

/** So many that are called alike are named. */
const mostAlike = 5;

/** In the place of all else where no turn is known: why, and where to go from here. */
export function NothingOf({ subject, problem }: Readonly<{ subject: string; problem: string }>) {
  const known = useStore(serverState);
  const alike = findNames(allNames(known), subject.split(/--|\//).at(-1) ?? '', mostAlike);
  return (
    <div class="frame-empty">
      <h1>{subject}</h1>
      <p role="alert">{problem}</p>
      {alike.length > 0 && (
        <p>
          Called alike:{' '}
          {alike.map((name, index) => (
            <>
              {index > 0 && ', '}
              <a href={machineLink(name.kind, name.subject)}>{name.subject}</a>
            </>
          ))}
        </p>
      )}
      <p>
        <a href="#/">What happened</a> and <a href="#/seed">The seed</a> lead to all there is.
      </p>
    </div>
  );
}
