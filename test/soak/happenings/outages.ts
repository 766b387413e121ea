import { hasTwoPaths } from '../../../src/domain/prober/prober-config.ts';
import type { Millis } from '../../../src/domain/time.ts';
import type { PathFault } from '../../../src/simulator/api/balancer.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import type { Happening } from '../happening.ts';
import { shootOf } from './shoot-of.ts';

const pathFaults: readonly PathFault[] = [
  { kind: 'refuse' },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'slow', delay: 12_000 },
];

/** What kubelets cannot reach any more, of one shoot or of all, and how that ends. */
export const outages: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw(chance, _, at, shoot) {
      const fraction = strikes(chance, 0.7) ? 1 : chance();
      const length = between(chance, 5_000, 900_000);
      return cutOff(shoot, at, at + length, fraction);
    },
    strike: {
      'nodes cut off': (scene, it) => strikeCutOff(scene, it),
      'nodes healed': (scene, it) => {
        const shoot = shootOf(scene, it);
        shoot?.heal();
        if (hasTwoPaths(scene.config)) void shoot?.paths.heal('external');
      },
    },
    calm: healPaths,
    tell: ({ kind, shoot, of }) =>
      kind === 'nodes healed'
        ? `the nodes of ${shoot} reached their API server again`
        : `${Math.round(100 * Number(of?.['fraction']))} % of the nodes of ${shoot} were cut off`,
  },
  {
    // The load balancer comes and goes.
    of: 'shoot',
    hourly: () => 0.3,
    draw(chance, _, at, shoot) {
      const flaps: Happening[] = [];
      let [from, left] = [at, between(chance, 3, 15)];
      while ((left -= 1) >= 0) {
        const healedAt = from + between(chance, 2_000, 60_000);
        flaps.push(...cutOff(shoot, from, healedAt));
        from = healedAt + between(chance, 1_000, 40_000);
      }
      return flaps;
    },
    strike: {},
    tell: () => '',
  },
  {
    // The seed's own load balancer, or its zone: every shoot at once.
    of: 'seed',
    hourly: () => 0.5,
    draw(chance, { shoots }, at) {
      const healedAt = at + between(chance, 30_000, 900_000);
      return shootNames(shoots).flatMap((shoot) => cutOff(shoot, at, healedAt + between(chance, 0, 5_000)));
    },
    strike: {},
    tell: () => '',
  },
  {
    // Of the two paths, the one that no kubelet goes.
    of: 'shoot',
    hourly: ({ twoPaths }) => (twoPaths ? 2 : 0),
    draw(chance, _, at, shoot) {
      const of = { fault: oneOf(chance, pathFaults) };
      return [
        { at, kind: 'internal path broken', shoot, of },
        { at: at + between(chance, 5_000, 400_000), kind: 'internal path healed', shoot },
      ];
    },
    strike: {
      'internal path broken': (scene, it) =>
        void shootOf(scene, it)?.paths.break('internal', it.of?.['fault'] as PathFault),
      'internal path healed': (scene, it) => void shootOf(scene, it)?.paths.heal('internal'),
    },
    tell: ({ kind, shoot }) => `${shoot}: ${kind}`,
  },
];

/** Nodes of a shoot are cut off, all of them unless told, and reach their API server again later. */
export function cutOff(shoot: string, at: Millis, healedAt: Millis, fraction = 1): readonly Happening[] {
  return [
    { at, kind: 'nodes cut off', shoot, of: { fraction } },
    { at: healedAt, kind: 'nodes healed', shoot },
  ];
}

export function shootNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `shoot--demo--${String(index + 1).padStart(2, '0')}`);
}

/** Where there are two paths, the external one breaks with all kubelets; in which way, the instant says. */
function strikeCutOff(scene: Scene, it: Happening): void {
  const shoot = shootOf(scene, it);
  const fraction = Number(it.of?.['fraction']);
  shoot?.cutOff(fraction);
  if (fraction < 1 || !hasTwoPaths(scene.config)) return;
  void shoot?.paths.break('external', pathFaults[it.at % pathFaults.length]!);
}

function healPaths(scene: Scene): void {
  if (!hasTwoPaths(scene.config)) return;
  for (const { paths } of scene.seed.shoots) {
    void paths.heal('internal');
    void paths.heal('external');
  }
}
