import { readGoDuration } from 'dependency-watchdog/domain/go-duration.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Span } from './history.ts';
import type { MachineName } from '../wire/wire.ts';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';

/** So many turns are told at once. The page draws them all. */
export const mostTurns = 5_000;

/** What a query asks for cannot be read; the message says what is expected. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}

/** Throws BadQuery where something else is asked for: a misspelt word would be as if nothing had been asked. */
export function asksOnly(query: URLSearchParams, ...names: readonly string[]): void {
  const other = [...query.keys()].find((name) => !names.includes(name));
  if (other !== undefined)
    throw new BadQuery(`nothing is called ${other} here; there is ${names.join(', ') || 'nothing to ask'}`);
}

const iso = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** An instant of a query: milliseconds since 1970, ISO 8601, or a length such as `2h`, counted back from now; undefined where it is absent. */
export function askedInstant(query: URLSearchParams, name: string, now: Instant): Instant | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // A plus sign in a query is a blank.
  const at = iso.test(text.replace(' ', '+')) ? Date.parse(text.replace(' ', '+')) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  const length = readGoDuration(text);
  if (length.ok && length.ms >= 0) return now - length.ms;
  throw new BadQuery(
    `${name} must be milliseconds since 1970, an instant such as 2026-11-21T20:07:00Z, or a length such as 2h, counted back from now`,
  );
}

/** `further`: what else may be asked for there. */
export function askedSpan(query: URLSearchParams, now: Instant, ...further: readonly string[]): Span {
  asksOnly(query, 'from', 'until', 'most', ...further);
  const [from = -Infinity, until = Infinity] = [askedInstant(query, 'from', now), askedInstant(query, 'until', now)];
  const text = query.get('most') ?? String(mostTurns);
  const most = Number(text);
  if (!/^\d{1,4}$/.test(text) || most < 1 || most > mostTurns)
    throw new BadQuery(`most must be a number from 1 to ${mostTurns}`);
  return { from, until, most };
}

/** Which episodes a query asks for: `shoot`, and those that the time from `since` to `until` touches, as in `replay`. */
export function askedEpisodes(query: URLSearchParams, now: Instant): (episode: Episode) => boolean {
  asksOnly(query, 'since', 'until', 'shoot');
  const [since = -Infinity, until = Infinity] = [askedInstant(query, 'since', now), askedInstant(query, 'until', now)];
  const shoot = query.get('shoot');
  return ({ machine, subject, beganAt, endedAt }) =>
    (shoot === null || shoot === (machine === 'shoot' ? subject : subject.split('/')[0])) &&
    beganAt <= until &&
    (endedAt ?? Infinity) >= since;
}

type MachinePath = MachineName & Readonly<{ what: 'turns' | 'events' | 'journal' }>;

/** `/shoots/NAME/turns`, `/services/NAMESPACE/NAME/events`; each name is one segment, in which `%2F` stands for a slash. */
export function machinePath(path: string): MachinePath | undefined {
  const [, room, names = '', what] = /^\/(shoots|services)\/(.+)\/(turns|events|journal)$/.exec(path) ?? [];
  const segments = names.split('/').map(decoded);
  const [first, second] = segments;
  if ((what !== 'turns' && what !== 'events' && what !== 'journal') || !first) return undefined;
  if (room === 'shoots' && segments.length === 1) return { kind: 'shoot', subject: first, what };
  if (room === 'services' && segments.length === 2 && second)
    return { kind: 'weeder', subject: `${first}/${second}`, what };
  return undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
