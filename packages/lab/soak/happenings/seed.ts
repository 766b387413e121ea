import type { MemoryApiServer } from '@dwd/simulator/memory/memory-api-server.ts';
import { cutOff, type Details, type HappeningKind, type Struck } from '../happening.ts';

/** The seed's API servers, all of them or one. */
export const seedTroubles: HappeningKind = {
  of: 'seed',
  hourly: 6,
  draw({ at, shape: { servers }, between, oneOf, strikes }) {
    const length = between(500, 240_000);
    const kind = oneOf([
      'seed down',
      'seed hung',
      'seed throttled',
      'seed failed',
      'Clusters unwatchable',
      'seed lagging',
    ]);
    const of = {
      code: oneOf([500, 503]),
      lag: between(500, 30_000),
      // What is more than a minute is not heeded (6.12).
      retryAfterSeconds: oneOf([1, 1, 30, 7_200]),
      // The last of them alone, or all.
      ...(servers > 1 && strikes(0.6) && { server: servers - 1 }),
    };
    return [
      { at, kind, of },
      { at: at + length, kind: 'seed well' },
    ];
  },
  strike: {
    'seed down': each((api) => void api.down()),
    'seed hung': each((api) => api.setFault({ kind: 'hang', at: 'answer' })),
    'seed throttled': each((api, { retryAfterSeconds }) => api.setFault({ kind: 'throttle', retryAfterSeconds })),
    'seed failed': each((api, { code }) => api.setFault({ kind: 'status', code })),
    'Clusters unwatchable': each((api) => api.refuseWatches(['clusters'])),
    'seed lagging': each((api, { lag }) => (api.lag = lag)),
    'seed well': each(makeWell),
  },
  calm: (scene) => scene.servers().forEach(makeWell),
  tell: ({ kind, of }) =>
    `the ${kind}${kind === 'seed lagging' ? ` by ${of.lag} ms` : ''}${of.server === undefined ? '' : ' (one server of them)'}`,
};

export const lostWatches: HappeningKind = {
  of: 'seed',
  hourly: 6,
  draw: ({ at, oneOf }) => [
    {
      at,
      kind: oneOf(['watches cut', 'watches expired', 'watches abandoned', 'history forgotten']),
      of: { tellsExpiredBy: oneOf(['event', 'status']) },
    },
  ],
  strike: {
    'watches cut': each((api) => api.breakWatches()),
    'watches expired': each((api) => {
      api.compact();
      api.expireWatches();
    }),
    'watches abandoned': each((api) => api.abandonWatches()),
    'history forgotten': each((api, { tellsExpiredBy }) => {
      api.tellsExpiredBy = tellsExpiredBy === 'status' ? 'status' : 'event';
      api.compact();
      api.breakWatches();
    }),
  },
  tell: ({ kind }) => `the seed's ${kind}`,
};

/** To the server that the happening names, or to each. */
function each(does: (api: MemoryApiServer, of: Details) => void): (struck: Struck) => void {
  return ({ scene, of }) => {
    for (const [index, api] of scene.servers().entries())
      if (of.server === undefined || of.server === index) does(api, of);
  };
}

function makeWell(api: MemoryApiServer): void {
  void api.up();
  api.clearFault();
  api.refuseWatches([]);
  api.lag = 0;
}

/** What keeps the news of Clusters, or of all, from our processes, when it does the most harm. */
export const blindMoments: readonly HappeningKind[] = [
  {
    // Lists and watches of Clusters hang for minutes, a shoot is hibernated unseen, and then it would be scaled.
    of: 'shoot',
    hourly: 0.3,
    draw({ at, shoot, between, strikes }) {
      const hibernatedAt = at + between(2_000, 20_000);
      const wrongAt = hibernatedAt + between(125_000, 160_000);
      const end = wrongAt + between(20_000, 120_000);
      const isWayUp = strikes(0.5);
      return [
        ...(isWayUp ? cutOff(shoot, Math.max(0, at - 60_000), wrongAt) : cutOff(shoot, wrongAt - 30_000, end)),
        { at, kind: 'Clusters hung' },
        { at: hibernatedAt, kind: 'hibernated', shoot },
        { at: end, kind: 'seed well' },
        { at: end + 30_000, kind: 'Cluster mended', shoot },
      ];
    },
    strike: { 'Clusters hung': each(hangClusters) },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    // What stands between us and the seed, and closes each long answer at once.
    of: 'seed',
    hourly: 0.5,
    draw: ({ at, between }) => [
      { at, kind: 'watches dropped' },
      { at: at + between(30_000, 150_000), kind: 'watches kept' },
    ],
    strike: {
      'watches dropped': ({ scene }) => scene.slots.forEach(({ links }) => (links.seed.dropsWatches = true)),
      'watches kept': ({ scene }) => scene.slots.forEach(({ links }) => (links.seed.dropsWatches = false)),
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    of: 'seed',
    hourly: ({ asleep }) => (asleep > 0 ? 1 : 0),
    draw: ({ at, between }) => [
      { at, kind: 'pages expire' },
      { at: at + 500, kind: 'watches expired', of: { tellsExpiredBy: 'event' } },
      { at: at + between(20_000, 100_000), kind: 'seed well' },
    ],
    strike: { 'pages expire': each(expirePages) },
    tell: () => 'of each list of the seed only the first page can be had',
  },
];

/** Lists of more than one page are never whole. */
function expirePages(api: MemoryApiServer): void {
  api.setFault({ kind: 'status', code: 410 }, ({ query }) => new URLSearchParams(query).has('continue'));
}

function hangClusters(api: MemoryApiServer): void {
  api.setFault(
    { kind: 'hang', at: 'answer' },
    ({ resource, verb }) => resource === 'clusters' && (verb === 'list' || verb === 'watch'),
  );
  api.breakWatches();
}
