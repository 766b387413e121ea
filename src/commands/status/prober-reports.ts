import type { Episode } from '../../adapters/record/episodes/episode.ts';
import { headlineOf, type Headline } from '../../adapters/record/episodes/headline.ts';
import { partWords, unjudgedWords } from '../../adapters/record/words/lease-words.ts';
import { failureWords } from '../../adapters/record/words/probe-words.ts';
import { clockWords } from '../../adapters/words/plain-words.ts';
import { operatorLine } from '../../adapters/words/secrets.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberReport } from '../../domain/prober/prober-report.ts';
import { shootStates } from '../../domain/prober/standing.ts';
import type { Instant } from '../../domain/time.ts';
import { valueAt } from '../../domain/value-at.ts';
import type { ServedShoot } from '../guests.ts';

/**
 * How a running prober sees each shoot now, by the rows that its inspector serves. What is no such row tells nothing. Instants are put on our clock, as far as
 * the prober's differs. Throws where these are no rows at all.
 */
export function reportsOf(answer: unknown, now: Instant): ReadonlyMap<ShootNamespace, ProberReport> {
  const [theirs, rows] = [valueAt(answer, 'now'), valueAt(answer, 'shoots')];
  if (typeof theirs !== 'number' || !Array.isArray(rows)) throw new Error('it serves no rows of shoots');
  const ours = (at: Instant): Instant => at - theirs + now;
  return new Map(rows.filter(isRow).map((row) => [row.shoot, reportOf(row, ours, now)]));
}

/** The headline of what a running prober tells of the time that it was asked for (SPEC 9.19); undefined where it serves nothing of the kind. */
export function headlineIn(answer: unknown): Headline | undefined {
  const [theirs, episodes] = [valueAt(answer, 'now'), valueAt(answer, 'episodes')];
  if (typeof theirs !== 'number' || !Array.isArray(episodes)) return undefined;
  return headlineOf(episodes.filter(isEpisode), theirs);
}

/** Another version may serve other episodes. */
function isEpisode(one: unknown): one is Episode {
  const texts = ['kind', 'machine', 'subject', 'weight'].every((name) => typeof valueAt(one, name) === 'string');
  const odds = valueAt(one, 'odds');
  return (
    texts &&
    typeof valueAt(one, 'beganAt') === 'number' &&
    Array.isArray(valueAt(one, 'stages')) &&
    typeof valueAt(one, 'data') === 'object' &&
    (odds === undefined || Array.isArray(odds))
  );
}

/** Another version may serve other rows. */
function isRow(row: unknown): row is ServedShoot {
  return (
    typeof valueAt(row, 'shoot') === 'string' &&
    shootStates.some((state) => state === valueAt(row, 'standing')) &&
    [valueAt(row, 'expired'), valueAt(row, 'candidates')].every((count) => typeof count === 'number')
  );
}

function reportOf(row: ServedShoot, ours: (at: Instant) => Instant, now: Instant): ProberReport {
  const { state, standing, since, paused, nextProbeAt, failure, partial, unjudged, waitsUntil, downAt } = row;
  // One that is under way was due.
  const nextAt = nextProbeAt === null ? (paused === null ? now : undefined) : ours(nextProbeAt);
  const down = Object.entries(downAt ?? {}).map(([key, at]) => [key, ours(at)] as const);
  return {
    state,
    standing,
    ...(since === null ? {} : { since: ours(since) }),
    ...verdictOf(row, ours),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(failure === undefined ? {} : { failing: operatorLine(failureWords.line(failure)) }),
    ...(partial === undefined ? {} : { partial: partWords(partial) }),
    ...(unjudged === undefined ? {} : { unjudged: unjudgedWords(unjudged) }),
    ...(waitsUntil === undefined
      ? {}
      : { waits: `connected again; waits until ${clockWords(ours(waitsUntil))}, since it comes and goes` }),
    ...(down.length === 0 ? {} : { downAt: Object.fromEntries(down) }),
  };
}

function verdictOf(
  { verdict: kind, expired, candidates, judgedAt, paths }: ServedShoot,
  ours: (at: Instant) => Instant,
): Pick<ProberReport, 'verdict'> {
  if (kind === null) return {};
  if (paths === undefined)
    return { verdict: { kind, expired, candidates, ...(judgedAt === null ? {} : { at: ours(judgedAt) }) } };
  const { external, reason } = paths;
  if (external === null || kind === 'tooFew' || kind === 'unjudged') return {};
  return { verdict: { kind, external, ...(reason === null || kind === 'connected' ? {} : { reason }) } };
}
