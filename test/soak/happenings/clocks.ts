import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import { shootOf } from './shoot-of.ts';
import { slotsOf } from './processes.ts';

/**
 * Wall clocks that somebody sets, or that run away from the others. Steady clocks are never set. What differs is small as a rule, and minutes now and
 * then: a minute is longer than any Lease of a kubelet.
 */
export const clocks: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 2,
    draw(chance, shape, at) {
      const by = drawDifference(chance);
      return [{ at, kind: 'clock set', of: { slot: oneOf(chance, slotsOf(shape)), by } }];
    },
    strike: {
      'clock set'(scene, { of }) {
        const slot = scene.slot(of?.['slot'] as Scene['slots'][number]['name']);
        if (slot?.process !== undefined) slot.process.clock.ahead += Number(of?.['by']);
      },
    },
    calm(scene) {
      for (const { process } of scene.slots) if (process !== undefined) process.clock.ahead = 0;
    },
    tell: ({ of }) => `the clock of ${String(of?.['slot'])} was set ${told(of)}`,
  },
  shootClock('API server clock', 1, ({ api }, ahead) => void (api.clockAhead = ahead)),
];

/** At the end of all kinds, so that what was drawn before stays. */
export const nodeClocks: readonly HappeningKind[] = [
  shootClock('node clocks', 0.5, ({ kubelets }, ahead) => void (kubelets.ahead = ahead)),
  // Ours is wrong, or that of a whole data centre: the shoot agrees with itself.
  shootClock('all clocks', 0.7, ({ api, kubelets }, ahead) => void (kubelets.ahead = api.clockAhead = ahead)),
];

/** A clock that is of one shoot: set, and put right a while later. */
function shootClock(
  what: string,
  hourly: number,
  set: (shoot: Scene['seed']['shoots'][number], ahead: number) => void,
): HappeningKind {
  const right = `${what} put right`;
  return {
    of: 'shoot',
    hourly: () => hourly,
    draw: (chance, _, at, shoot) => [
      { at, kind: `${what} set`, shoot, of: { by: drawDifference(chance) } },
      { at: at + between(chance, 30_000, 900_000), kind: right, shoot },
    ],
    strike: {
      [`${what} set`]: (scene, it) => withShoot(scene, it, (shoot) => set(shoot, Number(it.of?.['by']))),
      [right]: (scene, it) => withShoot(scene, it, (shoot) => set(shoot, 0)),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) set(shoot, 0);
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}${kind === right ? '' : ` ${told(of)}`}`,
  };
}

function withShoot(scene: Scene, it: Happening, does: (shoot: Scene['seed']['shoots'][number]) => void): void {
  const shoot = shootOf(scene, it);
  if (shoot !== undefined) does(shoot);
}

function drawDifference(chance: () => number): number {
  const most = oneOf(chance, [500, 4_000, 20_000, 120_000]);
  return between(chance, 1, most) * (strikes(chance, 0.5) ? 1 : -1);
}

function told(of: Happening['of']): string {
  const by = Number(of?.['by']);
  return `${by > 0 ? 'forward' : 'back'} by ${Math.abs(by)} ms`;
}
