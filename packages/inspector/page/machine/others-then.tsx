import { useMemo } from 'preact/hooks';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Kind, MachineName } from '../../wire/wire.ts';
import { instantLink } from '../client/address.ts';
import { serverState } from '../client/inspector-client.ts';
import { allNames } from '../client/server-state.ts';
import { useStore } from '../client/store.ts';
import { numberText } from '../format/texts.ts';

/** As many as fit into a line; the search finds the others, and keeps the instant as well. */
const mostShown = 5;

/** Links to what others did at the instant that is shown: why this one, and why not that one. */
export function OthersThen({ kind, subject, at }: Readonly<{ kind: Kind; subject: string; at: Instant }>) {
  const shoots = useStore(serverState, ({ shoots }) => shoots);
  const services = useStore(serverState, ({ services }) => services);
  const episodes = useStore(serverState, ({ episodes }) => episodes);
  const others = useMemo(
    () => othersThen(allNames({ shoots, services }), episodes.values(), { kind, subject }, at),
    [shoots, services, episodes, kind, subject, at],
  );
  if (others.length === 0) return null;
  const left = others.length - mostShown;
  return (
    <nav class="flow machine-others" aria-label="Others at this instant">
      <span class="quiet">at this instant</span>
      {others.slice(0, mostShown).map((other) => (
        <a key={`${other.kind} ${other.subject}`} href={instantLink(other.kind, other.subject, at)}>
          {other.subject}
        </a>
      ))}
      {left > 0 && <span class="quiet">and {numberText(left)} more, by the search</span>}
    </nav>
  );
}

/** What belongs to the same shoot, then those to whom something happened at that instant, then all others in their order. */
export function othersThen(
  names: readonly MachineName[],
  episodes: Iterable<Episode>,
  own: MachineName,
  at: Instant,
): readonly MachineName[] {
  const then = new Set(
    [...episodes]
      .filter(({ beganAt, endedAt }) => beganAt <= at && (endedAt ?? Infinity) >= at)
      .map(({ machine, subject }) => `${machine} ${subject}`),
  );
  const namespace = namespaceOf(own);
  const rank = (name: MachineName) =>
    namespaceOf(name) === namespace ? 0 : then.has(`${name.kind} ${name.subject}`) ? 1 : 2;
  return names
    .filter(({ kind, subject }) => kind !== own.kind || subject !== own.subject)
    .toSorted((one, other) => rank(one) - rank(other));
}

function namespaceOf({ subject }: MachineName): string {
  return subject.split('/')[0] ?? subject;
}
