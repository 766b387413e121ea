import { between } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { setPhase } from './nodes.ts';
import { cutOff } from './outages.ts';
import { shootOf } from './shoot-of.ts';

/** What is known of Machines may be two minutes old (5.4), and a kubelet falls silent later than its Machine begins to go. */
const known = [121_000, 140_000] as const;

/** Most nodes of a shoot go, so they fall silent one with the other; the two that stay renew, and nothing is cut off. */
export const leavingNodes: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: ({ nodes, twoPaths }) => (nodes > 4 && !twoPaths ? 0.6 : 0),
    draw(chance, { nodes }, at, shoot) {
      const fraction = (nodes - 2) / nodes;
      const silentAt = at + between(chance, ...known);
      const end = silentAt + between(chance, 40_000, 120_000);
      return [
        { at, kind: 'Machines terminating', shoot, of: { fraction } },
        ...cutOff(shoot, silentAt, end, fraction),
        { at: end, kind: 'Machines well', shoot },
      ];
    },
    strike: {
      'Machines terminating': (scene, it) => {
        const shoot = shootOf(scene, it);
        const going = shoot?.nodes.slice(0, Math.ceil(Number(it.of?.['fraction']) * shoot.nodes.length)) ?? [];
        if (shoot !== undefined) for (const node of going) setPhase(scene, shoot, node, 'Terminating');
      },
    },
    tell: ({ shoot, of }) => `${Math.round(100 * Number(of?.['fraction']))} % of the Machines of ${shoot} terminate`,
  },
];
