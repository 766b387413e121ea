import { connection, serverState } from '../../client/inspector-client.ts';
import { connectionWords, lostRemedy, type Connection } from '../../client/connection.ts';
import { useStore } from '../../client/store.ts';
import { clockText, dayText, countText } from '../../format/texts.ts';
import { Mark } from '../../format/mark.tsx';
import type { Shape, Tone } from '../../../model/states.ts';
import { useZone, Time } from '../../format/time.tsx';
import { agreementOfFiles, agreementWords, shownAgreement, wholeReplay, type Agreement } from '../../client/replay.ts';
import type { ServerState } from '../../client/server-state.ts';
import { turnLink } from '../../client/address.ts';
import type { About } from '../../../wire/wire.ts';

const looks: Readonly<Record<Connection['state'], Readonly<{ shape: Shape; tone: Tone }>>> = {
  connecting: { shape: 'ring', tone: 'calm' },
  open: { shape: 'dot', tone: 'busy' },
  complete: { shape: 'pause', tone: 'calm' },
  lost: { shape: 'cross', tone: 'cutOff' },
};

/** Whether the page still hears the program. Its changes are the only thing that the page says aloud by itself. */
export function ConnectionBadge() {
  const now = useStore(connection);
  const zone = useZone();
  const { shape, tone } = looks[now.state];
  return (
    <span class={`format-badge format-${tone}`}>
      <Mark shape={shape} tone={tone} />
      <span role="status">{connectionWords(now, now.state === 'lost' ? clockText(now.since, zone) : '')}</span>
    </span>
  );
}

/** Whether the machines that the page holds come to the recorded states (view 7), and the first turn where they do not. */
export function ReplayBadge() {
  const replayed = useStore(serverState, ({ about }) => about?.replayed ?? null);
  const shown = useStore(shownAgreement);
  const whole = useStore(wholeReplay, (whole) => whole?.agreement ?? null);
  const files = replayed === null ? whole : agreementOfFiles(replayed);
  // A machine that is shown tells of itself; where it agrees, another one may not.
  const agreement = shown?.first != null || files === null ? shown : files;
  return agreement === null ? null : <AgreementLine agreement={agreement} />;
}

function AgreementLine({ agreement }: Readonly<{ agreement: Agreement }>) {
  const words = agreementWords(agreement);
  const { first, checked } = agreement;
  if (first === null)
    return (
      <span class="format-badge format-calm" title="The machines that this page holds come to the recorded states.">
        {checked > 0 && <Mark shape="check" />}
        {words}
      </span>
    );
  return (
    <a class="format-badge format-refused" href={turnLink(first)} title="The first turn that comes out otherwise here.">
      <Mark shape="cross" tone="refused" />
      {words}
    </a>
  );
}

/** A title with more lines than this is no title. */
const mostNamed = 20;

/** What is read: how many turns, of which time, and from where. */
export function Span({ about }: Readonly<{ about: About }>) {
  const { firstAt, lastAt, turns, live, sources, lead } = about;
  const zone = useZone();
  const [source = ''] = sources;
  if (firstAt === null || lastAt === null)
    return <span>{lead?.leads === false ? 'this pod stands by, and has no turn yet' : 'no turn yet'}</span>;
  const sameDay = dayText(firstAt, zone) === dayText(lastAt, zone);
  return (
    <>
      <span class="frame-span">
        {countText(turns, 'turn')} of {dayText(firstAt, zone)} {clockText(firstAt, zone)} to{' '}
        {sameDay ? '' : `${dayText(lastAt, zone)} `}
        <Time at={lastAt} />
      </span>
      <span class="cut frame-span" title={sources.slice(0, mostNamed).join('\n')}>
        {live ? 'from its memory' : sources.length === 1 ? fileName(source) : countText(sources.length, 'file')}
      </span>
    </>
  );
}

/** The last part of a path; the rest would fill the header, and stands in its title. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** One lost try is no news: a program that is started again is back in a moment. */
const worthSaying = 2;

/** What to do about a connection that stays lost, and about a program that took the place of the one that brought this page. */
export function LostNotice() {
  const lost = useStore(connection, lostOf);
  const replacedBy = useStore(serverState, replacedByOf);
  return (
    <>
      {lost !== undefined && <p class="frame-notice frame-lost">{lostRemedy(lost.because)}</p>}
      {replacedBy !== undefined && (
        <p class="frame-notice">
          The program is version {replacedBy} now, and this page is of another one: its machines may decide otherwise.
          Load the page again.
        </p>
      )}
    </>
  );
}

function lostOf(connection: Connection) {
  return connection.state === 'lost' && connection.tries >= worthSaying ? connection : undefined;
}

function replacedByOf({ about, pageVersion }: ServerState): string | undefined {
  return about !== null && pageVersion !== null && about.version !== pageVersion ? about.version : undefined;
}
