import type { Lead, LeadEvent } from '../../episodes/led-runs.ts';
import type { LaneSpan, SpanFace, SpanLane } from './lanes.ts';

const nobody: SpanFace = { tone: 'unknown', label: 'nobody', words: 'nobody is recorded to have led' };

/**
 * Who led the role that took these runs' turns, and where nobody did (SPEC 9.11). None where no change of the lead is told. `wordsOf`: in the reader's
 * zone.
 */
export function leaderLane(
  leads: readonly Lead[],
  runs: ReadonlySet<string>,
  wordsOf: (event: LeadEvent) => string,
): readonly SpanLane[] {
  const role = leads.find(({ run }) => runs.has(run))?.role;
  if (role === undefined) return [];
  const spans: LaneSpan[] = [];
  for (const { leader, until, events } of leads.filter((lead) => lead.role === role)) {
    const { tookAt: from, words } = leader;
    const before = spans.at(-1)?.until ?? from;
    if (before < from) spans.push({ ...nobody, from: before, until: from });
    // All pods of a deployment begin alike.
    const label = (words.split(' ').at(-1) ?? words).replace(/^dependency-watchdog-/, '');
    const told = events.length === 0 ? `${words} led` : events.map(wordsOf).join('; ');
    spans.push({ tone: 'calm', label, words: told, from, until });
  }
  return [{ id: 'leader', name: 'who led', shows: 'leader', spans, under: [] }];
}
