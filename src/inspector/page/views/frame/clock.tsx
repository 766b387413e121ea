import { told } from '../../client/inspector-client.ts';
import { preferences, prefer } from '../../client/kept-preferences.ts';
import type { Preferences } from '../../client/preferences.ts';
import { useNow } from '../../client/ticking.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { clockText, isoText } from '../../format/instant-text.ts';

/** What time it is at the program, and in which zone times are shown. Files have no time of their own. */
export function Clock() {
  const now = useNow();
  const live = useStore(told, isLive);
  const zone = useStore(preferences, zoneOf);
  return (
    <div class="frame-clock">
      {live && now !== undefined && (
        <time class="frame-now" dateTime={isoText(now)}>
          {clockText(now, zone)}
        </time>
      )}
      <div class="frame-switch" role="group" aria-label="Zone of all times">
        {(['utc', 'local'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={zone === one} onClick={() => prefer({ zone: one })}>
            {one === 'utc' ? 'UTC' : 'local'}
          </button>
        ))}
      </div>
    </div>
  );
}

const isLive = ({ about }: Told) => about?.live !== false;
const zoneOf = ({ zone }: Preferences) => zone;
