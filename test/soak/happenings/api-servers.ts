import type { Millis } from '../../../src/domain/time.ts';
import type { MemoryApiServer } from '../../../src/simulator/memory/memory-api-server.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';

/** The seed's API servers, all of them or one, and their etcd. */
export const apiServerTroubles: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 6,
    draw(chance, { servers }, at) {
      const length = between(chance, 500, 240_000);
      const kind = oneOf(chance, [
        'seed down',
        'seed hung',
        'seed throttled',
        'seed failed',
        'Clusters unwatchable',
        'seed lagging',
      ] as const);
      const of = {
        code: oneOf(chance, [500, 503]),
        lag: between(chance, 500, 30_000),
        // What is more than a minute is not heeded (6.12).
        retryAfterSeconds: oneOf(chance, [1, 1, 30, 7_200]),
        // The last of them alone, or all.
        ...(servers > 1 && strikes(chance, 0.6) && { server: servers - 1 }),
      };
      return [
        { at, kind, of },
        { at: at + length, kind: 'seed well' },
      ];
    },
    strike: {
      'seed down': each((api) => void api.down()),
      'seed hung': each((api) => api.setFault({ kind: 'hang', at: 'answer' })),
      'seed throttled': each((api, { of }) =>
        api.setFault({ kind: 'throttle', retryAfterSeconds: Number(of?.['retryAfterSeconds']) }),
      ),
      'seed failed': each((api, { of }) => api.setFault({ kind: 'status', code: Number(of?.['code']) })),
      'Clusters unwatchable': each((api) => api.refuseWatches(['clusters'])),
      'seed lagging': each((api, { of }) => (api.lag = Number(of?.['lag']))),
      'seed well': each(makeWell),
    },
    calm: (scene) => scene.servers().forEach(makeWell),
    tell: ({ kind, of }) =>
      `the ${kind}${kind === 'seed lagging' ? ` by ${Number(of?.['lag'])} ms` : ''}${of?.['server'] === undefined ? '' : ' (one server of them)'}`,
  },
  {
    of: 'seed',
    hourly: () => 6,
    draw: (chance, _, at) => [
      {
        at,
        kind: oneOf(chance, ['watches cut', 'watches expired', 'watches abandoned', 'history forgotten'] as const),
        of: { tellsExpiredBy: oneOf(chance, ['event', 'status'] as const) },
      },
    ],
    strike: {
      'watches cut': each((api) => api.breakWatches()),
      'watches expired': each((api) => {
        api.compact();
        api.expireWatches();
      }),
      'watches abandoned': each((api) => api.abandonWatches()),
      'history forgotten': each((api, { of }) => {
        api.tellsExpiredBy = of?.['tellsExpiredBy'] === 'status' ? 'status' : 'event';
        api.compact();
        api.breakWatches();
      }),
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    of: 'seed',
    hourly: ({ restores }) => (restores ? 1 : 0),
    draw: (chance, _, at) => [
      { at, kind: 'etcd backed up' },
      {
        at: at + between(chance, 10_000, 900_000),
        kind: 'etcd restored',
        of: { unnoticed: between(chance, 0, 30_000) },
      },
    ],
    strike: {
      'etcd backed up': (scene) => {
        scene.backup = scene.seed.api.storage.store.backup();
      },
      'etcd restored': restore,
    },
    tell: ({ kind }) =>
      kind === 'etcd restored' ? "the seed's etcd was restored from the backup" : `the seed's ${kind}`,
  },
];

function each(
  does: (api: MemoryApiServer, happening: Happening) => void,
): (scene: Scene, happening: Happening) => void {
  return (scene, happening) => {
    const only = happening.of?.['server'];
    for (const [index, api] of scene.servers().entries())
      if (only === undefined || only === index) does(api, happening);
  };
}

function makeWell(api: MemoryApiServer): void {
  void api.up();
  api.clearFault();
  api.refuseWatches([]);
  api.lag = 0;
}

/** A server that has not noticed goes on with its watch cache, until somebody starts it afresh; `others` have written by then. */
function restore(scene: Scene, { of }: Happening): void {
  const { backup } = scene;
  if (backup === undefined) return;
  for (const [index, api] of scene.servers().entries()) {
    if (index === 0) api.restart();
    else {
      api.missRestore();
      restartLater(api, Number(of?.['unnoticed']), Number(of?.['others'] ?? 0));
      if (of?.['leads'] === true) leadTo(scene, api, Number(of['unnoticed']));
    }
  }
  scene.seed.api.storage.store.restore(backup);
}

/** A load balancer may lead a client to one server for a while. */
function leadTo(scene: Scene, api: MemoryApiServer, length: Millis): void {
  for (const { links } of scene.slots) {
    links.seed.leadsTo = api;
    api.agenda.after(length, () => (links.seed.leadsTo = undefined));
  }
}

/** What is written meanwhile to objects that nobody here looks at lets the seed's counter overtake what the server has told. */
export function restartLater(api: MemoryApiServer, after: Millis, others: number): void {
  api.agenda.after(after, () => {
    api.storage.store.countOthers(others);
    api.restart();
  });
}
