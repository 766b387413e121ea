import type { MemoryApiServer } from '../../../src/simulator/memory/memory-api-server.ts';
import { between, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { cutOff } from './outages.ts';

/** What keeps the news of Clusters, or of all, from our processes, when it does the most harm. */
export const blindMoments: readonly HappeningKind[] = [
  {
    // Lists and watches of Clusters hang for minutes, a shoot is hibernated unseen, and then it would be scaled.
    of: 'shoot',
    hourly: () => 0.3,
    draw(chance, _, at, shoot) {
      const hibernatedAt = at + between(chance, 2_000, 20_000);
      const wrongAt = hibernatedAt + between(chance, 125_000, 160_000);
      const end = wrongAt + between(chance, 20_000, 120_000);
      const isWayUp = strikes(chance, 0.5);
      return [
        ...(isWayUp ? cutOff(shoot, Math.max(0, at - 60_000), wrongAt) : cutOff(shoot, wrongAt - 30_000, end)),
        { at, kind: 'Clusters hung' },
        { at: hibernatedAt, kind: 'hibernated', shoot },
        { at: end, kind: 'seed well' },
        { at: end + 30_000, kind: 'Cluster mended', shoot },
      ];
    },
    strike: {
      'Clusters hung': (scene) => scene.servers().forEach(hangClusters),
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    // What stands between us and the seed, and closes each long answer at once.
    of: 'seed',
    hourly: () => 0.5,
    draw: (chance, _, at) => [
      { at, kind: 'watches dropped' },
      { at: at + between(chance, 30_000, 150_000), kind: 'watches kept' },
    ],
    strike: {
      'watches dropped': (scene) => scene.slots.forEach(({ links }) => (links.seed.dropsWatches = true)),
      'watches kept': (scene) => scene.slots.forEach(({ links }) => (links.seed.dropsWatches = false)),
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
  {
    of: 'seed',
    hourly: ({ asleep }) => (asleep > 0 ? 1 : 0),
    draw: (chance, _, at) => [
      { at, kind: 'pages expire' },
      { at: at + 500, kind: 'watches expired', of: { tellsExpiredBy: 'event' } },
      { at: at + between(chance, 20_000, 100_000), kind: 'seed well' },
    ],
    strike: {
      'pages expire': (scene) => scene.servers().forEach(expirePages),
    },
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
