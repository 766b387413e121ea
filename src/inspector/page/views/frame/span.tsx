import type { About } from '../../../wire/wire.ts';
import { clockText, dayText } from '../../format/instant-text.ts';
import { countText } from '../../format/number-text.ts';
import { Time } from '../../format/time.tsx';
import { useZone } from '../../format/zone.ts';
import { fileName } from './file-name.ts';

/** A title with more lines than this is no title. */
const mostNamed = 20;

/** What is read: how many turns, of which time, and from where. */
export function Span({ about }: Readonly<{ about: About }>) {
  const { firstAt, lastAt, turns, live, sources } = about;
  const zone = useZone();
  const [source = ''] = sources;
  if (firstAt === null || lastAt === null) return <span>no turn yet</span>;
  const sameDay = dayText(firstAt, zone) === dayText(lastAt, zone);
  return (
    <>
      <span>
        {countText(turns, 'turn')} of {dayText(firstAt, zone)} {clockText(firstAt, zone)} to{' '}
        {sameDay ? '' : `${dayText(lastAt, zone)} `}
        <Time at={lastAt} />
      </span>
      <span class="frame-source" title={sources.slice(0, mostNamed).join('\n')}>
        {live ? 'from its memory' : sources.length === 1 ? fileName(source) : countText(sources.length, 'file')}
      </span>
    </>
  );
}
