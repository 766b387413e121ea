import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { shootOf } from './shoot-of.ts';

/** The API server of a shoot hangs, and its Cluster goes while a probe waits for the answer. */
export const goneWhileAsked: readonly HappeningKind[] = [
  {
    // As with births: who puts such a shoot right in a restored seed is not simulated.
    of: 'shoot',
    hourly: ({ restores }) => (restores ? 0 : 0.4),
    draw(chance, _, at, shoot) {
      const goneAt = at + between(chance, 11_000, 30_000);
      return [
        { at, kind: 'API server hung', shoot },
        { at: goneAt, kind: 'Cluster gone', shoot },
        { at: goneAt + 40_000, kind: 'shoot deleted', shoot },
        { at: goneAt + between(chance, 41_000, 300_000), kind: 'shoot created', shoot },
      ];
    },
    strike: { 'Cluster gone': (scene, it) => shootOf(scene, it)?.delete() },
    tell: ({ shoot }) => `the Cluster of ${shoot} was deleted`,
  },
];
