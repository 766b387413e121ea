import { connection } from '../../client/inspector-client.ts';
import { connectionWords, type Connection } from '../../client/connection.ts';
import { useStore } from '../../client/use-store.ts';
import { clockText } from '../../format/instant-text.ts';
import { Mark } from '../../format/mark.tsx';
import type { Shape, Tone } from '../../format/state-look.ts';
import { useZone } from '../../format/zone.ts';

const looks: Readonly<Record<Connection['state'], Readonly<{ shape: Shape; tone: Tone }>>> = {
  connecting: { shape: 'ring', tone: 'calm' },
  open: { shape: 'dot', tone: 'accent' },
  complete: { shape: 'pause', tone: 'calm' },
  lost: { shape: 'cross', tone: 'cutOff' },
};

/** Whether the page still hears the program. Its changes are the only thing that the page says aloud by itself. */
export function ConnectionBadge() {
  const now = useStore(connection, all);
  const zone = useZone();
  const { shape, tone } = looks[now.state];
  return (
    <span class={`format-badge format-${tone}`}>
      <Mark shape={shape} tone={tone} />
      <span role="status">{connectionWords(now, now.state === 'lost' ? clockText(now.since, zone) : '')}</span>
    </span>
  );
}

const all = <State,>(state: State) => state;
