import { beforeAll, expect, test } from 'vitest';
import type { Wire } from './embedded-wire.ts';
import { change, create, namesIn, versionOf, watching, type RestorablePair } from './restored-scene.ts';

const ways = [
  [0, 1],
  [1, 0],
] as const;

const pathOf = (one: 0 | 1): string => `/api/v1/namespaces/by-${one}/configmaps`;

/** Two servers over one etcd, each with a watch cache of its own: a client that changes from one to the other goes on where it was. */
export function twoServersContract(pair: () => RestorablePair): void {
  let wires: readonly Wire[];
  const by = (server: 0 | 1): Wire => wires[server]!;
  beforeAll(async () => {
    wires = [pair().dial(0), pair().dial(1)];
    for (const [one] of ways) {
      await by(one).call('POST', '/api/v1/namespaces', { metadata: { name: `by-${one}` } });
      for (const name of ['a', 'b', 'c']) await create(by(one), pathOf(one), name);
    }
  });

  test.each(ways)('6.6 what is written through server %i is read through server %i at once', async (one, other) => {
    for (const text of ['1', '2', '3']) {
      const written = await change(by(one), `${pathOf(one)}/a`, text);
      const { body } = await by(other).get(pathOf(one));
      expect(body.items[0].metadata.resourceVersion).toBe(written.metadata.resourceVersion);
      expect(versionOf(body)).toBeGreaterThanOrEqual(versionOf(written));
      expect((await by(other).get(`${pathOf(one)}/a`)).body).toEqual(written);
    }
  });

  test.each(ways)('6.6 writes through server %i and server %i are counted by one counter', async (one, other) => {
    const versions = [];
    for (const wire of [by(one), by(other), by(one), by(other)])
      versions.push(versionOf(await change(wire, `${pathOf(one)}/b`, String(versions.length))));
    expect(versions).toEqual([...new Set(versions)].toSorted((less, more) => less - more));
  });

  test.each(ways)('6.6 what is written through server %i is told by a watch of server %i', async (one, other) => {
    const list = (await by(one).get(pathOf(one))).body;
    const watch = await by(other).watch(watching(pathOf(one), versionOf(list)));
    const written = [await change(by(one), `${pathOf(one)}/a`, 'told'), await create(by(one), pathOf(one), 'd')];
    const events = [await watch.next(), await watch.next()];
    expect(events.map((event) => event?.object)).toMatchObject(written.map(({ metadata }) => ({ metadata })));
    // A watch that is cut here goes on there, after the last event that it told.
    const next = await by(one).watch(watching(pathOf(one), versionOf(written[0])));
    expect(await next.take(1)).toEqual(['ADDED d']);
    watch.cut();
    next.cut();
  });

  test.each(ways)('6.6 a list that server %i began goes on at server %i, as it was', async (one, other) => {
    const page = (await by(one).get(`${pathOf(one)}?limit=1`)).body;
    await by(one).call('DELETE', `${pathOf(one)}/c`);
    const { code, body } = await by(other).get(`${pathOf(one)}?limit=2&continue=${page.metadata.continue}`);
    expect({ code, names: namesIn(body) }).toEqual({ code: 200, names: ['b', 'c'] });
    expect(versionOf(body)).toBe(versionOf(page));
  });

  test.each(ways)('6.6 a write through server %i voids the version for server %i', async (one, other) => {
    const { metadata } = await change(by(other), `${pathOf(one)}/b`, 'seen');
    await change(by(one), `${pathOf(one)}/b`, 'newer');
    const { resourceVersion } = metadata;
    const { code, body } = await by(other).patch(`${pathOf(one)}/b`, { metadata: { resourceVersion } });
    expect({ code, reason: body.reason }).toEqual({ code: 409, reason: 'Conflict' });
  });
}
