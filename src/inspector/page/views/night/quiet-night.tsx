import type { Instant } from '../../../../domain/time.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/use-store.ts';
import { calmText, countText } from '../../format/texts.ts';
import { Time } from '../../format/time.tsx';
import { allSeedRows, countStandings, type SeedRow } from '../seed/seed-rows.ts';
import { seedStandings } from '../seed/seed-standing.ts';

/** That nothing happened is said with what it rests on: since when, and how all stand. */
export function QuietNight({ now }: Readonly<{ now: Instant | undefined }>) {
  const about = useStore(serverState, ({ about }) => about);
  const shoots = useStore(serverState, ({ shoots }) => shoots);
  const services = useStore(serverState, ({ services }) => services);
  const since = about?.firstAt ?? null;
  if (since === null)
    return (
      <p class="frame-empty">
        No turn was recorded yet. A prober that does not lead watches no shoot, and so has none; it is the leader's page
        that shows them.
      </p>
    );
  const sentences = [
    shoots.size === 0 ? '' : `${countText(shoots.size, 'shoot')}: ${standingsOf(allSeedRows(shoots.values(), []))}.`,
    services.size === 0
      ? ''
      : `${countText(services.size, 'service')}: ${standingsOf(allSeedRows([], services.values()))}.`,
  ].filter(Boolean);
  return (
    <div class="frame-empty">
      <p>
        Nothing happened since <Time at={since} day />
        {now === undefined ? '' : ` (${calmText(now - since)})`}.
      </p>
      <p>
        {sentences.join(' ')} <a href="#/seed">The seed</a>
      </p>
    </div>
  );
}

function standingsOf(rows: readonly SeedRow[]): string {
  return countStandings(rows)
    .map(({ standing, count }) => `${count} ${seedStandings[standing].words}`)
    .join(', ');
}
