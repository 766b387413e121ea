import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { MemoryApiServer } from '@dwd/simulator/memory/memory-api-server.ts';
import type { HappeningKind, Struck } from '../happening.ts';
import type { Scene } from '../scene.ts';

export const etcdRestores: HappeningKind = {
  of: 'seed',
  hourly: ({ restores }) => (restores ? 1 : 0),
  draw: ({ at, between }) => [
    { at, kind: 'etcd backed up' },
    { at: at + between(10_000, 900_000), kind: 'etcd restored', of: { unnoticed: between(0, 30_000) } },
  ],
  strike: {
    'etcd backed up': ({ scene }) => void (scene.backup = scene.seed.api.storage.store.backup()),
    'etcd restored': restoreMissed,
  },
  tell: ({ kind }) =>
    kind === 'etcd restored' ? "the seed's etcd was restored from the backup" : `the seed's ${kind}`,
};

/** A server that has not noticed goes on with its watch cache, until somebody starts it afresh; `others` have written by then. */
function restoreMissed({ scene, of }: Struck): void {
  restore(scene, (api, index) => {
    if (index === 0) return api.restart();
    api.missRestore();
    restartLater(api, of.unnoticed, of.others);
    if (of.leads === true) leadTo(scene, api, of.unnoticed);
  });
}

/** A load balancer may lead a client to one server for a while. */
function leadTo(scene: Scene, api: MemoryApiServer, length: Millis): void {
  for (const { links } of scene.slots) {
    links.seed.leadsTo = api;
    api.agenda.after(length, () => (links.seed.leadsTo = undefined));
  }
}

/** What is written meanwhile to objects that nobody here looks at lets the seed's counter overtake what the server has told. */
function restartLater(api: MemoryApiServer, after: Millis, others = 0): void {
  api.agenda.after(after, () => {
    api.storage.store.countOthers(others);
    api.restart();
  });
}

/**
 * Further ways of a restore, often from a backup of a moment ago, so that the seed's counter soon overtakes what our processes
 * know. `while away`: API servers are down meanwhile, as with a real one, and everybody else writes as soon as they are back. `in two histories`: what was restored is told in the watches that are
 * open. `in silence`: what stands before the servers keeps the connections of the old watches, which say nothing any more. `unnoticed`: all servers go on
 * for a while with what they have in their watch caches.
 */
export const restores: HappeningKind = {
  of: 'seed',
  hourly: (shape) => (shape.restores ? 0.7 : 0),
  draw({ at, between, oneOf, strikes }) {
    const restoredAt = at + (strikes(0.5) ? between(300, 5_000) : between(5_000, 60_000));
    const how = oneOf(['while away', 'in two histories', 'in silence', 'unnoticed']);
    const length = strikes(0.5) ? between(500, 5_000) : between(5_000, 60_000);
    return [
      { at, kind: 'etcd backed up' },
      { at: restoredAt, kind: `etcd restored ${how}`, of: { length, others: oneOf([0, 5, 500]) } },
      ...(how === 'while away' ? [{ at: restoredAt + length, kind: 'seed well' }] : []),
    ];
  },
  strike: {
    'etcd restored while away': ({ scene, of }) => restoreWhileAway(scene, of.others),
    'etcd restored in two histories': ({ scene }) => restore(scene, (server) => server.startAfresh()),
    'etcd restored in silence': ({ scene }) =>
      restore(scene, (server) => {
        server.startAfresh();
        server.abandonWatches();
      }),
    'etcd restored unnoticed': ({ scene, of }) =>
      restore(scene, (server) => {
        server.missRestore();
        restartLater(server, of.length, of.others);
      }),
  },
  tell: ({ kind }) => `the seed's ${kind}`,
};

/** `others`: what is written meanwhile to objects that nobody here looks at. The servers are down after it. */
export function restoreWhileAway(scene: Scene, others = 0): void {
  restore(scene, (server) => void server.down());
  scene.seed.api.storage.store.countOthers(others);
}

/** `prepare` each server for it. */
export function restore(scene: Scene, prepare: (server: MemoryApiServer, index: number) => void): void {
  const { backup } = scene;
  if (backup === undefined) return;
  scene.servers().forEach(prepare);
  scene.seed.api.storage.store.restore(backup);
}
