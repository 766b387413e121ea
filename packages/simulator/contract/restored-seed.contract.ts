import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WatchStream, Wire } from './embedded-wire.ts';
import { allRefused, shownOf, toldOncePassed, writesByTheLost } from './restored-requests.ts';
import {
  create,
  loseHistory,
  lostEvents,
  namesIn,
  versionOf,
  versionsIn,
  watching,
  type LostHistory,
  type RestorablePair,
} from './restored-scene.ts';
import { twoServersContract } from './restored-two-servers.contract.ts';

const both = [0, 1] as const;
const whatCame = ['ADDED late', 'MODIFIED kept'];

/** What a seed answers, request by request, to those who know a history that it has left, since its etcd was restored from a backup. */
export function restoredSeedContract(start: () => Promise<RestorablePair>): void {
  let pair: RestorablePair;
  beforeAll(async () => {
    pair = await start();
  });
  afterAll(() => pair.stop());

  describe('before anything is restored', () => {
    twoServersContract(() => pair);
  });

  describe('whose servers go on, and have not noticed', () => {
    let of: LostHistory;
    const wire = (server: 0 | 1): Wire => of.wires[server]!;
    const watches: WatchStream[] = [];
    beforeAll(async () => {
      of = await loseHistory(pair, 'went-on', 'go on');
    });

    test.each(both)('6.6 each object is as the backup holds it, by server %i', async (server) => {
      expect(await shownOf(of, wire(server))).toEqual({ objects: of.backedUp, gone: 404 });
    });

    test.each(both)('6.6 a list is of what was lost, by server %i', async (server) => {
      for (const query of ['', 'resourceVersion=0', 'limit=500', `resourceVersion=${of.last.version}`]) {
        const { code, body } = await wire(server).get(`${of.path}?${query}`);
        expect({ query, code, versions: versionsIn(body) }).toEqual({
          query,
          code: 200,
          versions: Object.values(of.lost).map(versionOf),
        });
        expect(versionOf(body)).toBeGreaterThanOrEqual(of.last.version);
      }
    });

    test.each(both)('6.6 a list of then goes on with its next page, by server %i', async (server) => {
      const { code, body } = await wire(server).get(`${of.path}?limit=2&continue=${of.last.next}`);
      expect({ code, names: namesIn(body) }).toEqual({ code: 200, names: ['kept', 'reborn'] });
      expect(versionOf(body)).toBe(of.last.version);
    });

    test.each(both)('6.6 a watch from the backup on tells what is lost, by server %i', async (server) => {
      const watch = await wire(server).watch(watching(of.path, versionOf(of.backedUp['kept'])));
      expect(await watch.take(lostEvents.length)).toEqual(lostEvents);
      watches.push(watch);
    });

    test.each(both)('6.6 no write goes by what is lost, by server %i', async (server) => {
      expect(await writesByTheLost(of, wire(server))).toEqual(allRefused);
      expect(await shownOf(of, wire(server))).toEqual({ objects: of.backedUp, gone: 404 });
    });

    test('6.6 watches, old and new, are silent until their version is passed, and tell what comes then', async () => {
      for (const server of both) watches.push(await wire(server).watch(watching(of.path, of.last.version)));
      expect(await toldOncePassed(of, [...of.watches, ...watches])).toEqual(Array.from({ length: 6 }, () => whatCame));
    });

    test.each(both)('6.6 a list learns what comes then, and keeps what is lost, by server %i', async (server) => {
      const { body } = await wire(server).get(of.path);
      expect(namesIn(body)).toEqual(['changed', 'gone', 'kept', 'late', 'reborn']);
      expect(body.items[0]).toMatchObject({ data: of.lost['changed'].data });
      expect((await wire(server).get(`${of.path}/changed`)).body).toEqual(of.backedUp['changed']);
    });
  });

  describe('whose servers start afresh', () => {
    let of: LostHistory;
    const wire = (server: 0 | 1): Wire => of.wires[server]!;
    beforeAll(async () => {
      of = await loseHistory(pair, 'afresh', 'start afresh');
    });

    test.each(both)('6.6 each object is as the backup holds it, by server %i', async (server) => {
      expect(await shownOf(of, wire(server))).toEqual({ objects: of.backedUp, gone: 404 });
    });

    test.each(both)(
      '6.6 a list is of the backup, and older than what was listed before, by server %i',
      async (server) => {
        for (const query of ['', 'resourceVersion=0', 'limit=500', `resourceVersion=${of.before.version}`]) {
          const { code, body } = await wire(server).get(`${of.path}?${query}`);
          expect({ query, code, names: namesIn(body) }).toEqual({ query, code: 200, names: Object.keys(of.backedUp) });
          expect(versionOf(body)).toBeGreaterThanOrEqual(versionOf(of.backedUp['kept']));
          expect(versionOf(body)).toBeLessThan(of.last.version);
        }
      },
    );

    test.each(both)(
      '6.6 no list is of a version that is not reached, and no page of a list of then, by server %i',
      async (server) => {
        const { version, next } = of.last;
        const queries = [
          `resourceVersion=${version}`,
          `resourceVersion=${version}&resourceVersionMatch=NotOlderThan`,
          `resourceVersion=${version}&resourceVersionMatch=Exact`,
          `resourceVersion=${version}&limit=2`,
          `limit=2&continue=${next}`,
        ];
        const told = await Promise.all(queries.map((query) => wire(server).get(`${of.path}?${query}`)));
        for (const { code, headers, body } of told) {
          expect({ code, retryAfter: headers['retry-after'], body }).toMatchObject({
            code: 504,
            retryAfter: '1',
            body: {
              reason: 'Timeout',
              message: expect.stringMatching(`^Timeout: Too large resource version: ${version}, current: \\d+$`),
              details: {
                causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
                retryAfterSeconds: 1,
              },
            },
          });
        }
      },
    );

    test.each(both)('6.6 a watch from before the backup is told 410, and ends, by server %i', async (server) => {
      const watch = await wire(server).watch(watching(of.path, of.before.version));
      const events = await watch.rest();
      expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    });

    test('6.6 the watches that were open were cut', async () => {
      for (const watch of of.watches) await expect(watch.rest()).rejects.toThrow(/closed|terminated|reset/i);
    });

    test.each(both)('6.6 no write goes by what is lost, by server %i', async (server) => {
      expect(await writesByTheLost(of, wire(server))).toEqual(allRefused);
      expect(await shownOf(of, wire(server))).toEqual({ objects: of.backedUp, gone: 404 });
    });

    test('6.6 what is lost is new when it is created again', async () => {
      const again = await create(wire(0), of.path, 'gone');
      expect(again.metadata.uid).not.toBe(of.lost['gone'].metadata.uid);
      expect(versionOf(again)).toBeLessThan(of.last.version);
      expect((await wire(1).get(`${of.path}/gone`)).body).toEqual(again);
    });

    test('6.6 a watch from a version that is not reached is open, and tells what comes after that version', async () => {
      const watches = await Promise.all(both.map((server) => wire(server).watch(watching(of.path, of.last.version))));
      expect(watches.map(({ code }) => code)).toEqual([200, 200]);
      expect(await toldOncePassed(of, watches)).toEqual([whatCame, whatCame]);
    });
  });
}
