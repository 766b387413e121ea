import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { MemoryApiServer } from '../../../src/simulator/memory/memory-api-server.ts';
import type { Scene } from '../scene.ts';
import { restartLater } from './api-servers.ts';

const ways = ['while away', 'in two histories', 'in silence', 'unnoticed'] as const;

/**
 * Ways of a restore that `api-servers.ts` does not have, often from a backup of a moment ago, so that the seed's counter soon overtakes what our processes
 * know. `while away`: API servers are down meanwhile, as with a real one, and everybody else writes as soon as they are back. `in two histories`: what was restored is told in the watches that are
 * open. `in silence`: what stands before the servers keeps the connections of the old watches, which say nothing any more. `unnoticed`: all servers go on
 * for a while with what they have in their watch caches.
 */
export const restores: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: (shape) => (shape.restores ? 0.7 : 0),
    draw(chance, _, at) {
      const restoredAt = at + (strikes(chance, 0.5) ? between(chance, 300, 5_000) : between(chance, 5_000, 60_000));
      const how = oneOf(chance, ways);
      const length = strikes(chance, 0.5) ? between(chance, 500, 5_000) : between(chance, 5_000, 60_000);
      return [
        { at, kind: 'etcd backed up' },
        { at: restoredAt, kind: `etcd restored ${how}`, of: { length, others: oneOf(chance, [0, 5, 500]) } },
        ...(how === 'while away' ? [{ at: restoredAt + length, kind: 'seed well' }] : []),
      ];
    },
    strike: {
      'etcd restored while away': (scene, { of }) => restoreWhileAway(scene, Number(of?.['others'])),
      'etcd restored in two histories': (scene) => restore(scene, (server) => server.startAfresh()),
      'etcd restored in silence': (scene) =>
        restore(scene, (server) => {
          server.startAfresh();
          server.abandonWatches();
        }),
      'etcd restored unnoticed': (scene, { of }) =>
        restore(scene, (server) => {
          server.missRestore();
          restartLater(server, Number(of?.['length']), Number(of?.['others']));
        }),
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
];

/** `others`: what is written meanwhile to objects that nobody here looks at. The servers are down after it. */
export function restoreWhileAway(scene: Scene, others: number): void {
  restore(scene, (server) => void server.down());
  scene.seed.api.storage.store.countOthers(others);
}

/** `prepare` each server for it. */
export function restore(scene: Scene, prepare: (server: MemoryApiServer) => void): void {
  const { backup } = scene;
  if (backup === undefined) return;
  scene.servers().forEach(prepare);
  scene.seed.api.storage.store.restore(backup);
}
