import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';

/** What begins unseen, and how it ends. */
const departures = [
  ['Secret removed', 'Secret given back'],
  ['Secret removed', 'Secret given back'],
  ['deleted by hand', 'created again'],
  ['shoot deleted', 'shoot created'],
] as const;

/** The seed is away, and is without something when it is back: no watch tells that, and the list that follows says it by leaving it out. It is given back late. */
export const unseen: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 0.5,
    draw(chance, { restores }, at, shoot) {
      const drawn = oneOf(chance, departures);
      // As with other births: who puts such a shoot right in a restored seed is not simulated.
      const [goes, comes] = restores && drawn[0] === 'shoot deleted' ? departures[0] : drawn;
      const length = between(chance, 1_000, 30_000);
      const of = { which: between(chance, 0, 5), replicas: 1 };
      return [
        { at, kind: 'seed down' },
        { at: at + between(chance, 100, 900), kind: goes, shoot, of },
        { at: at + length, kind: 'seed well' },
        { at: at + length + between(chance, 200_000, 400_000), kind: comes, shoot, of },
      ];
    },
    strike: {},
    tell: () => '',
  },
];
