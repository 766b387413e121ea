import { seedLink, wholeSeed, type SeedFilter } from '../../client/address.ts';
import { renewAddress } from '../../client/use-address.ts';
import { Mark } from '../../format/mark.tsx';
import { countText, numberText } from '../../format/number-text.ts';
import { TextFilter } from '../frame/text-filter.tsx';
import type { countStandings } from './seed-rows.ts';
import { seedStandings, type SeedStanding } from './seed-standing.ts';

const orders = { consequence: 'consequence', name: 'name', since: 'last change' } as const;

/** How many there are of what, which is at once the filter. It stands in the address. */
export function SeedFilters({
  filter,
  shown,
  shoots,
  services,
  counts,
}: Readonly<{
  filter: SeedFilter;
  shown: number;
  shoots: number;
  services: number;
  counts: ReturnType<typeof countStandings>;
}>) {
  const change = (change: Partial<SeedFilter>) => renewAddress(seedLink({ ...filter, ...change }));
  const toggled = (standing: SeedStanding) =>
    filter.standings.includes(standing)
      ? filter.standings.filter((one) => one !== standing)
      : [...filter.standings, standing];
  const isWhole = seedLink(filter) === seedLink(wholeSeed);
  return (
    <div class="frame-filters" role="search" aria-label="Filter of the seed">
      <TextFilter text={filter.text} onText={(text) => change({ text })} />
      <span class="frame-count">
        {countText(shoots, 'shoot')}
        {services > 0 && `, ${countText(services, 'service')}`}
        {!isWhole && `: ${numberText(shown)} shown `}
        {!isWhole && <a href={seedLink(wholeSeed)}>clear</a>}
      </span>
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
      <div class="frame-choices" role="group" aria-label="How they stand">
        {counts.map(({ standing, count }) => {
          const { words, shape, tone } = seedStandings[standing];
          return (
            <button
              key={standing}
              type="button"
              aria-pressed={filter.standings.includes(standing)}
              onClick={() => change({ standings: toggled(standing) })}
            >
              <span class={`format-badge format-${tone}`}>
                <Mark shape={shape} tone={tone} />
                {numberText(count)} {words}
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
