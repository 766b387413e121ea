import { useMemo } from 'preact/hooks';
import { leadEvents } from '../../../episodes/led-runs.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/store.ts';
import { numberText } from '../../format/texts.ts';
import { Time, useZone } from '../../format/time.tsx';
import { leadWords } from './night-episodes.ts';

/** A process that crashes every minute would fill the page. */
const mostShown = 6;

/** Who took the lead in the night, and who ended, in the order of time; nothing where nothing of it is known. */
export function NightLeads() {
  const runs = useStore(serverState, ({ about }) => about?.runs);
  const zone = useZone();
  const events = useMemo(() => leadEvents(runs ?? []), [runs]);
  if (events.length === 0) return null;
  const older = events.length - mostShown;
  return (
    <section class="night-group" aria-label="Who led">
      <h2 class="night-hour">
        Who led <span class="quiet"> · {numberText(events.length)}</span>
      </h2>
      {older > 0 && <p class="night-left">{numberText(older)} older ones: replay --outages tells them.</p>}
      {events.slice(-mostShown).map(({ id, at, weight, sentence }) => (
        <p key={id} class={`night-lead night-${weight}`}>
          <Time at={at} />
          <span>{leadWords({ sentence, at }, zone)}</span>
        </p>
      ))}
    </section>
  );
}
