import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { serverState } from '../../client/inspector-client.ts';
import { useNow } from '../../client/ticking.ts';
import { useStore } from '../../client/store.ts';
import { numberText, calmText, countText } from '../../format/texts.ts';
import { useZone, Time } from '../../format/time.tsx';
import { useKeys } from '../../client/keys.ts';
import { TextFilter } from '../frame/keys.tsx';
import { briefly, goingOn, nightEpisodes, nightGroups, countedKind, youngest } from './night-episodes.ts';
import { NightAxis } from './night-axis.tsx';
import { NightEntry, NightHead, NightStorm } from './night-entry.tsx';
import { NightHeadline } from './night-headline.tsx';
import { NightLeads } from './night-leads.tsx';
import { nightItems } from './night-storms.ts';
import { RangeWords } from '../../format/range-words.tsx';
import { NightWhatIf } from '../../ask/night-what-if.tsx';
import { Choices, Switch } from '../../format/controls.tsx';
import { episodeKinds } from '../../../episodes/episode-words.ts';
import type { Episode, EpisodeKind } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { allTime, nightLink, wholeNight, type NightFilter } from '../../client/address.ts';
import { renewAddress } from '../../client/browser-address.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { allSeedRows, countStandings, type SeedRow } from '../seed/seed-rows.ts';
import { seedStandings } from '../seed/seed-standing.ts';

/** So many entries are drawn at first, and with each wish for more: a zone that fails may cut off 250 shoots in a second. */
const drawnAtOnce = 200;

/** What happened, by consequence, in the order of time (view 1). */
export function NightView({ filter }: Readonly<{ filter: NightFilter }>) {
  const episodes = useStore(serverState, ({ episodes }) => episodes);
  const begun = useStore(serverState, ({ begun, episodes }) => begun.episodes || episodes.size > 0);
  const forgotten = useStore(serverState, ({ forgotten }) => forgotten);
  const endsAt = useStore(serverState, ({ about }) => (about?.live === false ? about.lastAt : null));
  const zone = useZone();
  const now = useNow();
  const [most, setMost] = useState(drawnAtOnce);
  const list = useRef<HTMLDivElement>(null);

  const found = useMemo(() => nightEpisodes(episodes.values(), filter), [episodes, filter]);
  const isWhole = nightLink({ ...filter, open: [], whatIf: null }) === nightLink(wholeNight);
  const hold = useHeld();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const told = { ids, toggle: (id: string) => setIds(ids.symmetricDifference(new Set([id]))) };
  const until = now ?? endsAt ?? 0;
  const toggle = (key: string, element: HTMLElement) => {
    hold(element);
    const open = filter.open.includes(key) ? filter.open.filter((one) => one !== key) : [...filter.open, key];
    renewAddress(nightLink({ ...filter, open }));
  };
  const { items: shown, left } = useMemo(() => {
    const items = nightItems(found);
    return isWhole ? briefly(items) : { items, left: 0 };
  }, [found, isWhole]);
  const groups = useMemo(() => nightGroups(youngest(shown, most), zone, endsAt), [shown, most, zone, endsAt]);

  useKeys({
    ArrowDown: () => step(list.current, 1),
    ArrowUp: () => step(list.current, -1),
    ArrowRight: () => showMore(list.current, true),
    ArrowLeft: () => showMore(list.current, false),
  });

  if (!begun) return <p class="frame-empty">Asking the server what happened.</p>;
  return (
    <div class="night-view" ref={list}>
      {found.length === 0 ? (
        <h1 class="unseen">What happened</h1>
      ) : (
        <NightHeadline
          episodes={found}
          now={wholeMinute(now ?? endsAt ?? 0)}
          lastDayAlone={endsAt === null && filter.range === allTime}
        />
      )}
      {episodes.size > 0 && <NightFilters filter={filter} shown={found.length} episodes={episodes.values()} />}
      {episodes.size === 0 && <QuietNight now={now} />}
      {episodes.size > 0 && found.length === 0 && (
        <p class="frame-empty">
          Nothing of {numberText(episodes.size)} fits the filter. <a href={nightLink(wholeNight)}>Show all of them</a>
        </p>
      )}
      <NightAxis items={shown} filter={filter} now={until} recorded={endsAt !== null} toggle={toggle} />
      {shown.length > 0 && <NightHead />}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + drawnAtOnce)}>
          Show {Math.min(drawnAtOnce, shown.length - most)} earlier ones of {numberText(shown.length - most)}
        </button>
      )}
      {groups.map(({ key, title, items }) => (
        <section key={key} class="night-group" aria-label={title}>
          <h2 class="night-hour">
            {title}
            {items.length > 1 && <span class="quiet"> · {numberText(items.length)}</span>}
          </h2>
          {items.map((item) =>
            item.episodes.length > 1 ? (
              <NightStorm
                key={item.key}
                storm={item}
                recorded={endsAt !== null}
                told={told}
                now={item.endedAt ?? until}
                isOpen={filter.open.includes(item.key)}
                toggle={(element) => toggle(item.key, element)}
              />
            ) : (
              <NightEntry
                key={item.key}
                episode={item.episodes[0]}
                recorded={endsAt !== null}
                told={told}
                now={item.endedAt ?? until}
              />
            ),
          )}
          {key === goingOn && left > 0 && (
            <p class="night-left">
              <a href={nightLink({ ...wholeNight, standing: 'running' })}>{numberText(left)} more of little weight</a>{' '}
              {endsAt === null ? 'go on' : 'were open then'}.
            </p>
          )}
        </section>
      ))}
      <NightLeads />
      {episodes.size > 0 && <NightWhatIf filter={filter} />}
      {forgotten > 0 && <p class="night-left">{numberText(forgotten)} older ones are no longer held by this page.</p>}
    </div>
  );
}

/** A sentence of all that happened is not made anew with each second. */
function wholeMinute(at: Instant): Instant {
  return at - (at % 60_000);
}

/** The focus goes from entry to entry, wherever within one it is. */
function step(list: HTMLElement | null, by: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('.night-link') ?? [])];
  const at = links.findIndex((link) => link.closest('.night-entry')?.contains(document.activeElement) === true);
  const next = links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)];
  next?.focus();
  next?.closest('.night-entry')?.scrollIntoView({ block: 'nearest' });
}

function showMore(list: HTMLElement | null, open: boolean): void {
  const entry = document.activeElement?.closest('.night-entry');
  const toggle = entry != null && list?.contains(entry) ? entry.querySelector('.night-toggle') : null;
  if (toggle?.getAttribute('aria-expanded') === String(!open) && toggle instanceof HTMLElement) toggle.click();
}

/** What opens above what was clicked does not push it away: it is held where it is. */
function useHeld(): (element: HTMLElement) => void {
  const held = useRef<Readonly<{ element: HTMLElement; top: number }> | null>(null);
  useLayoutEffect(() => {
    const { element, top } = held.current ?? {};
    held.current = null;
    if (element === undefined || top === undefined) return;
    // The view scrolls in itself, or, where there is little room, the whole page.
    for (const scroller of [element.closest('main'), window])
      scroller?.scrollBy(0, element.getBoundingClientRect().top - top);
  });
  return (element) => (held.current = { element, top: element.getBoundingClientRect().top });
}

const standings = { all: 'all', running: 'going on', over: 'over' } as const;

/** What is shown of the night: by text, by kind, and whether it is over. It stands in the address. */
function NightFilters(props: Readonly<{ filter: NightFilter; shown: number; episodes: Iterable<Episode> }>) {
  const { filter, shown, episodes } = props;
  const counts = Map.groupBy(episodes, ({ kind }) => kind);
  const change = (change: Partial<NightFilter>) => renewAddress(nightLink({ ...filter, ...change }));
  const all = nightLink({ ...wholeNight, whatIf: filter.whatIf });
  const isWhole = nightLink(filter) === all;
  return (
    <div class="flow frame-filters" role="search" aria-label="Filter of the night">
      <TextFilter text={filter.text} onText={(text) => change({ text })} />
      <Choices
        label="Kinds"
        choices={(Object.keys(episodeKinds) as EpisodeKind[])
          .filter((kind) => counts.has(kind) || filter.kinds.includes(kind))
          .map((kind) => ({ choice: kind, shown: countedKind(kind, counts.get(kind)?.length ?? 0) }))}
        chosen={filter.kinds}
        choose={(kinds) => change({ kinds })}
      />
      <Switch
        label="Going on or over"
        words={standings}
        chosen={filter.standing}
        choose={(standing) => change({ standing })}
      />
      <RangeWords range={filter.range} all={nightLink({ ...filter, range: allTime })} />
      <span class="quiet">{numberText(shown)} shown</span>
      {!isWhole && <a href={all}>clear</a>}
    </div>
  );
}

/** That nothing happened is said with what it rests on: since when, and how all stand. */
function QuietNight({ now }: Readonly<{ now: Instant | undefined }>) {
  const about = useStore(serverState, ({ about }) => about);
  const shoots = useStore(serverState, ({ shoots }) => shoots);
  const services = useStore(serverState, ({ services }) => services);
  const since = about?.firstAt ?? null;
  if (since === null && about?.reading != null) return <p class="frame-empty">The newest files are being read.</p>;
  if (since === null)
    return (
      <p class="frame-empty">
        No turn was recorded yet. A prober that does not lead watches no shoot, and so has none; it is the leader's page
        that shows them.
      </p>
    );
  const sentences = [
    shoots.size === 0 ? '' : `${countText(shoots.size, 'shoot')}: ${standingsOf(allSeedRows(shoots.values(), []))}.`,
    services.size === 0
      ? ''
      : `${countText(services.size, 'service')}: ${standingsOf(allSeedRows([], services.values()))}.`,
  ].filter(Boolean);
  return (
    <div class="frame-empty">
      <p>
        Nothing happened since <Time at={since} day />
        {now === undefined ? '' : ` (${calmText(now - since)})`}. Nothing to do.
      </p>
      <p>
        {sentences.join(' ')} <a href="#/seed">The seed</a>
      </p>
    </div>
  );
}

function standingsOf(rows: readonly SeedRow[]): string {
  return countStandings(rows)
    .map(({ standing, count }) => `${count} ${seedStandings[standing].words}`)
    .join(', ');
}
