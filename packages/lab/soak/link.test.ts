import { expect, test } from 'vitest';
import type { MemoryApiServer } from '@dwd/simulator/memory/memory-api-server.ts';
import { chanceOf } from './chance-of.ts';
import { Link } from './link.ts';
import { fairWeather } from './seed-plan.ts';

/** The servers that take fifty requests of a client that is led to the second one. */
function takers(of: Readonly<{ isUp: boolean }>): ReadonlySet<number> {
  const servers = [{ isUp: true }, of] as unknown as readonly MemoryApiServer[];
  const link = new Link(fairWeather, chanceOf(1, 'a link'), () => undefined);
  link.leadsTo = servers[1];
  return new Set(Array.from({ length: 50 }, () => servers.indexOf(link.oneOf(servers)!)));
}

test('a client that is led to one server asks that one alone, for as long as it is up', () => {
  expect(takers({ isUp: true })).toEqual(new Set([1]));
  expect(takers({ isUp: false })).toEqual(new Set([0]));
});
