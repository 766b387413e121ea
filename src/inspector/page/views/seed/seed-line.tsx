import type { Instant } from '../../../../domain/time.ts';
import { calmText } from '../../format/length-text.ts';
import { machineLink } from '../../format/links.ts';
import { Mark } from '../../format/mark.tsx';
import { StateBadge } from '../../format/state-badge.tsx';
import { Time } from '../../format/time.tsx';
import type { SeedRow } from './seed-rows.ts';
import { seedStandings } from './seed-standing.ts';

/** One shoot or service. `index`: its row of the table, from 1. `now`: undefined where no time passes, as in files. */
export function SeedLine({
  row,
  index,
  now,
  isCurrent,
  choose,
}: Readonly<{
  row: SeedRow;
  index: number;
  now: Instant | undefined;
  isCurrent: boolean;
  choose: (link: string) => void;
}>) {
  const { kind, subject, state, standing, since, judged, nextAt, odd } = row;
  const { words, shape, tone } = seedStandings[standing];
  const link = machineLink(kind, subject);
  return (
    <div
      role="row"
      class={`seed-line ${isCurrent ? 'seed-current' : ''}`}
      aria-rowindex={index}
      onClick={() => choose(link)}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
    >
      <span role="cell" class="seed-name" title={subject}>
        <a href={link}>{subject}</a>
        {kind === 'weeder' && <span class="format-calm"> service</span>}
      </span>
      <span role="cell">
        <StateBadge kind={kind} state={state} />
      </span>
      <span role="cell" class="format-calm">
        {since === null ? 'not known' : <Time at={since} />}
      </span>
      <span role="cell" title={judged}>
        <span class={`format-badge format-${tone}`}>
          <Mark shape={shape} tone={tone} />
          {words}
        </span>
        <span class="seed-judged">{judged}</span>
      </span>
      <span role="cell" class="seed-next">
        {nextAt === null ? '' : now === undefined ? <Time at={nextAt} /> : nextWords(nextAt, now)}
      </span>
      <span role="cell" class={odd === '' ? '' : 'format-down'} title={odd}>
        {odd}
      </span>
    </div>
  );
}

/** `in 12 s`: whole seconds, and so no more than one change in a second. */
function nextWords(nextAt: Instant, now: Instant): string {
  return nextAt - now < 500 ? 'due' : `in ${calmText(nextAt - now)}`;
}
