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
  {
    of: 'shoot',
    hourly: () => 1,
    draw: (chance, _, at, shoot) => [
      { at, kind: 'API server clock set', shoot, of: { by: drawDifference(chance) } },
      { at: at + between(chance, 30_000, 900_000), kind: 'API server clock put right', shoot },
    ],
    strike: {
      'API server clock set': (scene, it) => setServer(scene, it, Number(it.of?.['by'])),
      'API server clock put right': (scene, it) => setServer(scene, it, 0),
    },
    calm(scene) {
      for (const { api } of scene.seed.shoots) api.clockAhead = 0;
    },
    tell: ({ kind, shoot, of }) =>
      kind === 'API server clock put right'
        ? `the clock of the API server of ${shoot} was put right`
        : `the clock of the API server of ${shoot} was set ${told(of)}`,
  },
];

/** At the end of all kinds, so that what was drawn before stays. */
export const nodeClocks: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 0.5,
    draw: (chance, _, at, shoot) => [
      { at, kind: 'node clocks set', shoot, of: { by: drawDifference(chance) } },
      { at: at + between(chance, 30_000, 900_000), kind: 'node clocks put right', shoot },
    ],
    strike: {
      'node clocks set': (scene, it) => setNodes(shootOf(scene, it), Number(it.of?.['by'])),
      'node clocks put right': (scene, it) => setNodes(shootOf(scene, it), 0),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) setNodes(shoot, 0);
    },
    tell: ({ kind, shoot, of }) =>
      kind === 'node clocks put right'
        ? `the clocks of the nodes of ${shoot} were put right`
        : `the clocks of the nodes of ${shoot} were set ${told(of)}`,
  },
];

function setNodes(shoot: Scene['seed']['shoots'][number] | undefined, ahead: number): void {
  if (shoot !== undefined) shoot.kubelets.ahead = ahead;
}

function setServer({ seed }: Scene, { shoot }: Happening, ahead: number): void {
  const found = seed.shoots.find(({ name }) => name === shoot);
  if (found !== undefined) found.api.clockAhead = ahead;
}

function drawDifference(chance: () => number): number {
  const most = oneOf(chance, [500, 4_000, 20_000, 120_000]);
  return between(chance, 1, most) * (strikes(chance, 0.5) ? 1 : -1);
}

function told(of: Happening['of']): string {
  const by = Number(of?.['by']);
  return `${by > 0 ? 'forward' : 'back'} by ${Math.abs(by)} ms`;
}
