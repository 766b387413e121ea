import { between, chanceOf, oneOf } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { SeedShape } from '../seed-plan.ts';
import { cutOff, shootNames } from './outages.ts';
import { slotsOf } from './processes.ts';

/** From here on no prober reaches the seed. Who loses the lead by it ends, and has begun anew for longer than five minutes when it takes the lead again: so it lists no more because it began. */
const cutOffFor = 480_000;

/**
 * Nobody leads from before a backup until after its restore, at the end of the weather. So nobody renews the Lease, and it shows nothing of it. Who takes the
 * lead then is answered by servers that missed the restore: the Cluster keeps it from raising what the outage had put down.
 */
export const leaderlessRestores: readonly HappeningKind[] = [
  {
    of: 'seed',
    // About every second life has it. What is drawn again is the same, and comes to the same.
    hourly: (shape) => (canHave(shape) ? 3_600_000 / shape.weather : 0),
    draw(_, shape) {
      const chance = chanceOf(shape.number, 'leaderless restore');
      const { weather } = shape;
      const shoot = oneOf(chance, shootNames(shape.shoots));
      const others = oneOf(chance, [50, 500]);
      const length = between(chance, 12_000, 20_000);
      const restoredAt = weather - between(chance, 22_000, 30_000);
      const probers = slotsOf(shape).filter((slot) => slot.startsWith('prober'));
      const ways = (kind: string, at: number): Happening[] =>
        probers.map((slot) => ({ at, kind, of: { slot, to: 'seed', as: 'refused' } }));
      return [
        ...cutOff(shoot, weather - cutOffFor - 150_000, weather - 100_000),
        ...ways('process cut off', weather - cutOffFor),
        { at: restoredAt - 20_000, kind: 'migrating live', shoot },
        { at: restoredAt - 15_000, kind: 'etcd backed up' },
        // Writes that are lost, so that those that follow do not look newer.
        ...Array.from({ length: 10 }, (__, index) => ({
          at: restoredAt - 10_000 + index,
          kind: 'Secret rotated',
          shoot,
        })),
        { at: restoredAt, kind: 'etcd restored unnoticed', of: { length, others } },
        { at: restoredAt + 200, kind: 'Cluster mended', shoot },
        ...ways('process connected', restoredAt + 400),
      ];
    },
    strike: {},
    tell: () => '',
  },
];

const canHave = ({ restores, election, replicas, weather, number }: SeedShape): boolean =>
  restores && (election || replicas.prober > 1) && weather > 900_000 && chanceOf(number, 'leaderless')() < 0.3;
