import { lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import {
  firstWhere,
  limitAt,
  spanAt,
  type Lane,
  type LaneSpan,
  type LeaseLane,
  type LeaseLimit,
  type SpanLane,
} from '../../model/timeline/lanes.ts';
import { timeText, type Zone } from '../format/texts.ts';

/** What a lane shows at an instant, in words. */
export function laneWords(lane: Lane, at: Instant, limits: readonly LeaseLimit[], zone: Zone): string {
  const span = spanAt(lane.spans, at);
  const told = span === undefined ? undefined : spanWords(span, zone);
  if (lane.shows === 'lease') return [ageWords(lane, at, limits, zone), told].filter(Boolean).join(' · ');
  const under = spanAt(lane.under, at);
  const both = [told, under === undefined ? undefined : spanWords(under, zone)].filter(Boolean);
  return both.length === 0 ? silence[lane.shows] : both.join(' · ');
}

/** What it means that a lane shows nothing. */
const silence: Readonly<Record<SpanLane['shows'], string>> = {
  state: 'nothing is known',
  probes: 'it rests until the next probe',
  path: 'nothing is known',
  dependant: 'nothing is known',
  endpoints: 'nothing is known',
  window: 'no window is open',
  pods: 'no pod is known to crash-loop',
  pod: 'it is not known to crash-loop',
  leader: 'nothing is known',
};

function spanWords({ label, words, from, until }: LaneSpan, zone: Zone): string {
  const named = words.startsWith(label) || label.includes(' ') || /^[\d/]/.test(label) ? words : `${label}: ${words}`;
  if (until === null) return `${named}, since ${timeText(from, zone)}`;
  return `${named}, from ${timeText(from, zone)} for ${lengthWords(until - from)}`;
}

/** `31.2 s old, renewed at 12:00:13.0, 1.2 s beyond the limit of 30.0 s`. */
function ageWords(
  { ages: { renewed, seen } }: LeaseLane,
  at: Instant,
  limits: readonly LeaseLimit[],
  zone: Zone,
): string {
  const index = firstWhere(seen.length, (each) => (seen[each] ?? 0) >= at);
  const renewedAt = renewed[index];
  if (renewedAt === undefined) {
    const last = renewed.at(-1);
    return last === undefined ? 'never seen' : `last seen renewed at ${timeText(last, zone)}`;
  }
  if (renewedAt > at) return `renewed at ${timeText(renewedAt, zone)}; nothing is known of its age before`;
  const age = at - renewedAt;
  const limit = limitAt(limits, at)?.limit;
  const beyond =
    limit === undefined || age < limit ? '' : `, ${lengthWords(age - limit)} beyond the limit of ${lengthWords(limit)}`;
  return `${lengthWords(age)} old, renewed at ${timeText(renewedAt, zone)}${beyond}`;
}
