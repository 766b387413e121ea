import type { Instant } from '../../../../domain/time.ts';
import { isoText } from '../../format/instant-text.ts';
import { calmText } from '../../format/length-text.ts';
import { machineLink } from '../../format/links.ts';
import { Mark } from '../../format/mark.tsx';
import { nearTimeText } from '../../format/near-time-text.ts';
import { StateBadge } from '../../format/state-badge.tsx';
import { stateLook } from '../../format/state-look.ts';
import { Time } from '../../format/time.tsx';
import { useZone } from '../../format/zone.ts';
import type { SeedRow } from './seed-rows.ts';
import { seedStandings } from './seed-standing.ts';

/** One shoot or service. `index`: its row of the table, from 1. `live`: time passes, unlike in files. */
export function SeedLine({
  row,
  index,
  now,
  live,
  isCurrent,
  choose,
}: Readonly<{
  row: SeedRow;
  index: number;
  now: Instant | undefined;
  live: boolean;
  isCurrent: boolean;
  choose: (link: string) => void;
}>) {
  const { kind, subject, state, standing, since, judged, nextAt, odd } = row;
  const { words, shape, tone } = seedStandings[standing];
  const link = machineLink(kind, subject);
  const zone = useZone();
  // What the state says already, in its colour, would only be louder twice.
  const saysMore = stateLook(kind, state).tone === 'calm' && tone !== 'calm';
  const oddTone = standing === 'refused' ? 'refused' : kind === 'shoot' ? 'down' : 'calm';
  return (
    <div
      role="row"
      class={`seed-line ${isCurrent ? 'seed-current' : ''}`}
      aria-rowindex={index}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
    >
      <span role="cell" title={subject}>
        <a class="seed-name" href={link} onFocus={() => choose(link)}>
          {subject}
        </a>
      </span>
      <span role="cell" class="format-calm">
        {kind === 'shoot' ? 'shoot' : 'service'}
      </span>
      <span role="cell">
        <StateBadge kind={kind} state={state} />
      </span>
      <span role="cell" class="format-calm">
        {since === null ? 'not known' : <time dateTime={isoText(since)}>{nearTimeText(since, now, zone)}</time>}
      </span>
      <span role="cell" title={judged}>
        {saysMore ? (
          <span class={`format-badge format-${tone}`}>
            <Mark shape={shape} tone={tone} />
            {words}
          </span>
        ) : (
          <span class="format-calm">{words}</span>
        )}
        <span class="seed-judged">{judged}</span>
      </span>
      <span role="cell">{nextAt === null ? '' : live ? nextWords(nextAt, now ?? nextAt) : <Time at={nextAt} />}</span>
      <span role="cell" class={`format-${oddTone}`} title={odd}>
        {odd}
      </span>
    </div>
  );
}

/** `in 12 s`: whole seconds, and so no more than one change in a second. */
function nextWords(nextAt: Instant, now: Instant): string {
  return nextAt - now < 500 ? 'due' : `in ${calmText(nextAt - now)}`;
}
