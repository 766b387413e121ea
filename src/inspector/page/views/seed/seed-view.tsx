import { useMemo, useRef, useState } from 'preact/hooks';
import { seedLink, wholeSeed, type SeedFilter } from '../../client/address.ts';
import { told } from '../../client/inspector-client.ts';
import type { Told } from '../../client/told.ts';
import { goTo } from '../../client/use-address.ts';
import { useStore } from '../../client/use-store.ts';
import { machineLink } from '../../format/links.ts';
import { useKeys } from '../frame/use-keys.ts';
import { allSeedRows, countStandings, seedRows } from './seed-rows.ts';
import { SeedFilters } from './seed-filters.tsx';
import { SeedTable, type TableHandle } from './seed-table.tsx';

/** All shoots and services, live (view 2). */
export function SeedView({ filter }: Readonly<{ filter: SeedFilter }>) {
  const shoots = useStore(told, shootsOf);
  const services = useStore(told, servicesOf);
  const begun = useStore(told, hasBegun);
  const [current, setCurrent] = useState<string | null>(null);
  const table = useRef<TableHandle>(null);

  const rows = useMemo(() => seedRows(shoots.values(), services.values(), filter), [shoots, services, filter]);
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

const shootsOf = ({ shoots }: Told) => shoots;
const servicesOf = ({ services }: Told) => services;
const hasBegun = ({ begun, shoots, services }: Told) => begun.rows || shoots.size + services.size > 0;
