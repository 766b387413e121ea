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

/** What a lane shows at an instant, a line for each part of it: what it is, from when to when, and how long. */
export function laneLines(lane: Lane, at: Instant, limits: readonly LeaseLimit[], zone: Zone): readonly string[] {
  const spans = lane.shows === 'lease' ? [lane.spans] : [lane.spans, lane.under];
  const told = spans.flatMap((of) => spanAt(of, at) ?? []).map((span) => spanWords(span, zone));
  if (lane.shows === 'lease') return [ageWords(lane, at, limits, zone), ...told];
  return told.length === 0 ? [silence[lane.shows]] : told;
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

/** `2 replicas wanted, 2 ready: 02:02:25.1 to 02:02:25.5, 0.42 s`. */
function spanWords({ label, words, from, until }: LaneSpan, zone: Zone): string {
  const named = words.startsWith(label) || label.includes(' ') || /^[\d/]/.test(label) ? words : `${label}: ${words}`;
  const begins = timeText(from, zone);
  if (until === null) return `${named} · since ${begins}`;
  return `${named} · ${begins} to ${timeText(until, zone)}, ${lengthWords(until - from)}`;
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
