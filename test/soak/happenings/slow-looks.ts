import { between } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import { cutOff } from './outages.ts';

/** A few leases expire, so that nodes are asked for; the answer comes so late that those of all others seem to have expired meanwhile. */
export const slowLooks: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ nodes, twoPaths }) => (nodes > 2 && !twoPaths ? 0.5 : 0),
    draw(chance, _, at, shoot) {
      const end = at + between(chance, 100_000, 200_000);
      return [
        ...cutOff(shoot, at, end, 0.3),
        { at, kind: 'nodes listed late', of: { by: between(chance, 22_000, 29_000) } },
        { at: end, kind: 'nodes listed in time', of: { by: 0 } },
      ];
    },
    strike: { 'nodes listed late': delayNodes, 'nodes listed in time': delayNodes },
    tell: ({ kind, of }) => `${kind}${kind === 'nodes listed late' ? `, by ${Number(of?.['by'])} ms` : ''}`,
  },
];

function delayNodes({ slots }: Scene, { of }: Happening): void {
  for (const { links } of slots) links.shoot.nodesLate = Number(of?.['by']);
}
