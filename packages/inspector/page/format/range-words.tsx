import { allTime, type TimeRange } from '../client/address.ts';
import { Time } from './time.tsx';

/** Which part of time a view is about, and a link to all of it; nothing where it is about all. `what`: what is said of it. */
export function RangeWords({ range, all, what = '' }: Readonly<{ range: TimeRange; all: string; what?: string }>) {
  const { from, until } = range;
  if (range === allTime) return null;
  return (
    <span class="frame-range">
      {what}
      {from === null ? 'until' : <Time at={from} day />}
      {until === null ? ' or later' : from === null ? ' ' : ' to '}
      {until === null ? null : <Time at={until} />} <a href={all}>all of the time</a>
    </span>
  );
}
