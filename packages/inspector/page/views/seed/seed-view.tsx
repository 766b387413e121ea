import { Choices } from '../../format/controls.tsx';
import { Badge } from '../../format/mark.tsx';
import { useMemo, useRef, useState } from 'preact/hooks';
import { allTime, seedLink, wholeSeed, machineLink, type SeedFilter } from '../../client/address.ts';
import { goTo, renewAddress } from '../../client/browser-address.ts';
import { serverState } from '../../client/inspector-client.ts';
import { useStore } from '../../client/store.ts';
import { useKeys } from '../../client/keys.ts';
import { TextFilter } from '../frame/keys.tsx';
import { RangeWords } from '../../format/range-words.tsx';
import { allSeedRows, countStandings, seedRows, touchedIn } from './seed-rows.ts';
import { SeedTable, type TableHandle } from './seed-table.tsx';
import { countText, numberText } from '../../format/texts.ts';
import { seedStandings } from './seed-standing.ts';

/** All shoots and services, live (view 2). */
export function SeedView({ filter }: Readonly<{ filter: SeedFilter }>) {
  const shoots = useStore(serverState, ({ shoots }) => shoots);
  const services = useStore(serverState, ({ services }) => services);
  const episodes = useStore(serverState, ({ episodes }) => episodes);
  const begun = useStore(serverState, ({ begun, shoots, services }) => begun.rows || shoots.size + services.size > 0);
  const [current, setCurrent] = useState<string | null>(null);
  const table = useRef<TableHandle>(null);

  const touched = useMemo(() => touchedIn(episodes.values(), filter.range), [episodes, filter.range]);
  const rows = useMemo(
    () => seedRows(shoots.values(), services.values(), filter, touched),
    [shoots, services, filter, touched],
  );
  const counts = useMemo(() => countStandings(allSeedRows(shoots.values(), services.values())), [shoots, services]);

  // The line is known by its name: others come and go above it while somebody reads.
  const at = rows.findIndex(({ kind, subject }) => current === machineLink(kind, subject));
  const go = (to: number) => {
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (next === undefined) return;
    const link = machineLink(next.kind, next.subject);
    setCurrent(link);
    table.current?.show(rows.indexOf(next), link);
  };
  const page = 20;
  useKeys({
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    PageDown: () => go(at + page),
    PageUp: () => go(at - page),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ...(current === null ? {} : { Enter: () => goTo(current) }),
  });

  if (!begun) return <p class="frame-empty">Asking the server how all stand.</p>;
  return (
    <div class="seed-view">
      <h1 class="unseen">The seed</h1>
      <SeedFilters filter={filter} shown={rows.length} shoots={shoots.size} services={services.size} counts={counts} />
      {rows.length === 0 ? (
        <p class="frame-empty">
          {shoots.size + services.size === 0 ? (
            'No shoot and no service was seen yet. A program that does not lead watches none.'
          ) : (
            <>
              None fits the filter. <a href={seedLink(wholeSeed)}>Show all of them</a>
            </>
          )}
        </p>
      ) : (
        <SeedTable rows={rows} current={current} choose={setCurrent} handle={table} />
      )}
    </div>
  );
}

const orders = { consequence: 'consequence', name: 'name', since: 'last change' } as const;

/** How many there are of what, which is at once the filter. It stands in the address. */
function SeedFilters(
  props: Readonly<{
    filter: SeedFilter;
    shown: number;
    shoots: number;
    services: number;
    counts: ReturnType<typeof countStandings>;
  }>,
) {
  const { filter, shown, shoots, services, counts } = props;
  const change = (change: Partial<SeedFilter>) => renewAddress(seedLink({ ...filter, ...change }));
  const isWhole = seedLink(filter) === seedLink(wholeSeed);
  return (
    <div class="flow frame-filters" role="search" aria-label="Filter of the seed">
      <TextFilter text={filter.text} onText={(text) => change({ text })} />
      <span class="quiet">
        {countText(shoots, 'shoot')}
        {services > 0 && `, ${countText(services, 'service')}`}
        {!isWhole && `: ${numberText(shown)} shown `}
        {!isWhole && <a href={seedLink(wholeSeed)}>clear</a>}
      </span>
      <RangeWords range={filter.range} all={seedLink({ ...filter, range: allTime })} what="something happened " />
      <label class="frame-order">
        by{' '}
        <select
          value={filter.order}
          onChange={({ currentTarget }) => change({ order: currentTarget.value as SeedFilter['order'] })}
        >
          {(['consequence', 'name', 'since'] as const).map((order) => (
            <option key={order} value={order}>
              {orders[order]}
            </option>
          ))}
        </select>
      </label>
      <Choices
        label="How they stand"
        choices={counts.map(({ standing, count }) => ({
          choice: standing,
          shown: <Badge {...seedStandings[standing]} words={`${numberText(count)} ${seedStandings[standing].words}`} />,
        }))}
        chosen={filter.standings}
        choose={(standings) => change({ standings })}
      />
    </div>
  );
}
