import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';

/**
 * Ways of a restore that `api-servers.ts` does not have: from a backup of a moment ago, so that the seed's counter soon overtakes what our processes know; while
 * the seed is away, as with a real one; and before servers that go on, of which each watch tells of two histories, or of none for minutes.
 */
export const restores: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ restores: drawn }) => (drawn ? 0.7 : 0),
    draw(chance, { election }, at) {
      const restoredAt = at + oneOf(chance, [between(chance, 300, 5_000), between(chance, 5_000, 60_000)]);
      const how = oneOf(chance, [
        'while away',
        'in two histories',
        ...(election ? (['in silence'] as const) : []),
      ] as const);
      const length = strikes(chance, 0.5) ? between(chance, 500, 5_000) : between(chance, 5_000, 60_000);
      return [
        { at, kind: 'etcd backed up' },
        { at: restoredAt, kind: `etcd restored ${how}`, of: { length } },
        ...(how === 'while away' ? [{ at: restoredAt + length, kind: 'seed well' }] : []),
      ];
    },
    strike: {
      'etcd restored while away': (scene) => {
        scene.servers().forEach((server) => void server.down());
        restoreFrom(scene);
      },
      'etcd restored in two histories': restoreFrom,
      'etcd restored in silence': (scene, { of }) => {
        scene.servers().forEach((server) => server.abandonWatches());
        restoreFrom(scene);
        const cutAt = 100_000 + Number(of?.['length']);
        scene.seed.api.agenda.after(cutAt, () => scene.servers().forEach((server) => server.cutAll()));
      },
    },
    tell: ({ kind }) => `the seed's ${kind}`,
  },
];

function restoreFrom(scene: Scene): void {
  const { backup } = scene;
  if (backup !== undefined) scene.seed.api.storage.store.restore(backup);
}
