import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { dayText, isoText, timeText, type Zone } from './texts.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** An instant in the reader's zone, `12:00:44.1`; with `day`, `Mon 23 Nov 2026 12:00:44.1`. Its title has all of it, in UTC. */
export function Time({ at, day = false }: Readonly<{ at: Instant; day?: boolean }>) {
  const zone = useZone();
  return (
    <time class="format-time" dateTime={isoText(at)} title={isoText(at)}>
      {day ? `${dayText(at, zone)} ` : ''}
      {timeText(at, zone)}
    </time>
  );
}

/** The zone that the reader chose in the header. */
export const ZoneContext = createContext<Zone>('utc');

export function useZone(): Zone {
  return useContext(ZoneContext);
}
