import type { Episode } from '../../adapters/episodes/episode.ts';
import type { Instant } from '../../domain/time.ts';
import { askedInstant } from './asked-span.ts';

/** Which episodes a query asks for: `shoot`, and those that the time from `since` to `until` touches, as in `replay`. */
export function askedEpisodes(query: URLSearchParams, now: Instant): (episode: Episode) => boolean {
  const [since = -Infinity, until = Infinity] = [askedInstant(query, 'since', now), askedInstant(query, 'until', now)];
  const shoot = query.get('shoot');
  return ({ machine, subject, beganAt, endedAt }) =>
    (shoot === null || shoot === (machine === 'shoot' ? subject : subject.split('/')[0])) &&
    beganAt <= until &&
    (endedAt ?? Infinity) >= since;
}
