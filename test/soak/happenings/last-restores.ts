import { between, chanceOf, oneOf, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { SeedShape } from '../seed-plan.ts';
import { cutOff, shootNames } from './outages.ts';

/** From the end of the outage to calm, and where the way up should be over by then. */
const last = 45_000;
const longLast = 90_000;
/** From the restore to calm: no longer, since a bad way to the seed makes a process list again. */
const soon = 5_000;

const ways = ['from under a way up', 'missed by a server', 'as processes begin'] as const;
type Way = (typeof ways)[number];

/**
 * A backup is restored at the very end of the weather, and puts down what had gone up. After it nothing else happens that would make a process list again by
 * chance, so what it was not told it never learns. `from under a way up`: as in `downed-backups.ts`. `missed by a server`: one goes on for a while with its
 * watch cache, and the processes are mostly led to that one. `as processes begin`: all do, and they show the Cluster as it was to processes that begin meanwhile.
 */
export const lastRestores: readonly HappeningKind[] = [
  {
    of: 'seed',
    // Nearly every life has it. What is drawn again is the same, and comes to the same.
    hourly: ({ restores, weather }) => (restores ? (3 * 3_600_000) / weather : 0),
    draw(_, shape) {
      const chance = chanceOf(shape.number, 'last restore');
      const shoot = oneOf(chance, shootNames(shape.shoots));
      const others = oneOf(chance, [5, 50, 500]);
      const outage = between(chance, 60_000, 120_000);
      const way = oneOf(chance, waysOf(shape));
      const length = between(chance, 10_000, 29_000);
      const healed = shape.weather - (way === 'missed by a server' ? longLast : last);
      return [
        ...cutOff(shoot, healed - outage, healed),
        ...restored(way, {
          shoot,
          others,
          healed,
          restoredAt: shape.weather - soon,
          length,
          leads: strikes(chance, 0.7),
        }),
      ];
    },
    strike: {},
    tell: () => '',
  },
];

/** Where no Lease shows it, the one counts that a process finds hardest to see. */
function waysOf({ election, replicas, servers }: SeedShape): readonly Way[] {
  if (election || replicas.prober > 1) return ways;
  const hardest: Way = servers > 1 ? 'missed by a server' : 'from under a way up';
  return [...ways, hardest, hardest];
}

type Restore = Readonly<{
  shoot: string;
  others: number;
  healed: number;
  restoredAt: number;
  length: number;
  leads: boolean;
}>;

function restored(way: Way, { shoot, others, healed, restoredAt, length, leads }: Restore): readonly Happening[] {
  switch (way) {
    case 'from under a way up':
      return [
        {
          at: healed,
          kind: 'etcd backed up as it goes up',
          shoot,
          of: { after: length / 2, length: length / 10, others },
        },
      ];
    case 'missed by a server':
      return [
        { at: healed - 5_000, kind: 'etcd backed up' },
        { at: restoredAt, kind: 'etcd restored', of: { unnoticed: length, others, leads } },
      ];
    case 'as processes begin':
      return [
        { at: healed - 20_000, kind: 'migrating live', shoot },
        { at: healed - 15_000, kind: 'etcd backed up' },
        // Writes that are lost, so that those that follow do not look newer.
        ...Array.from({ length: 10 }, (_, index) => ({ at: healed + 100 * index, kind: 'Secret rotated', shoot })),
        { at: restoredAt, kind: 'etcd restored unnoticed', of: { length, others } },
        { at: restoredAt + 1_000, kind: 'Cluster mended', shoot },
        { at: restoredAt + 2_000, kind: 'all processes crashed' },
      ];
  }
}
