import type { Draws } from '../chance-of.ts';
import type { Details, Drawing, HappeningKind, Struck } from '../happening.ts';
import type { Link } from '../link.ts';
import type { Shoot } from '../scene.ts';
import { slotNames } from '../seed-plan.ts';

/**
 * Wall clocks that somebody sets, or that run away from the others. Steady clocks are never set. What differs is small as a rule, and minutes now and
 * then: a minute is longer than any Lease of a kubelet.
 */
export const clocks: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: 2,
    draw(drawing) {
      const by = drawDifference(drawing);
      return [{ at: drawing.at, kind: 'clock set', of: { slot: drawing.oneOf(slotNames(drawing.shape)), by } }];
    },
    strike: {
      'clock set': ({ slot, of }) => {
        if (slot?.process !== undefined) slot.process.clock.ahead += of.by;
      },
    },
    calm(scene) {
      for (const { process } of scene.slots) if (process !== undefined) process.clock.ahead = 0;
    },
    tell: ({ of }) => `the clock of ${of.slot} was set ${told(of)}`,
  },
  shootClock('API server clock', 1, ({ api }, ahead) => void (api.clockAhead = ahead)),
];

export const nodeClocks: readonly HappeningKind[] = [
  shootClock('node clocks', 0.5, ({ kubelets }, ahead) => void (kubelets.ahead = ahead)),
  // Ours is wrong, or that of a whole data centre: the shoot agrees with itself.
  shootClock('all clocks', 0.7, ({ api, kubelets }, ahead) => void (kubelets.ahead = api.clockAhead = ahead)),
];

/** A clock that is of one shoot: set, and put right a while later. */
function shootClock(what: string, hourly: number, set: (shoot: Shoot, ahead: number) => void): HappeningKind {
  const right = `${what} put right`;
  return {
    of: 'shoot',
    hourly,
    draw: ({ at, shoot, ...draws }) => [
      { at, kind: `${what} set`, shoot, of: { by: drawDifference(draws) } },
      { at: at + draws.between(30_000, 900_000), kind: right, shoot },
    ],
    strike: {
      [`${what} set`]: ({ shoot, of }) => shoot && set(shoot, of.by),
      [right]: ({ shoot }) => shoot && set(shoot, 0),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) set(shoot, 0);
    },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind}${kind === right ? '' : ` ${told(of)}`}`,
  };
}

function drawDifference({ between, oneOf, strikes }: Draws): number {
  const most = oneOf([500, 4_000, 20_000, 120_000]);
  return between(1, most) * (strikes(0.5) ? 1 : -1);
}

function told({ by }: Details): string {
  return `${by > 0 ? 'forward' : 'back'} by ${Math.abs(by)} ms`;
}

/** One process cannot reach the seed, or no shoot, or only slowly, for seconds or minutes. */
export const linkTroubles: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: 3,
    draw(drawing) {
      const { at, between, oneOf } = drawing;
      const way = drawWay(drawing, 0.7);
      const end = at + between(1_000, 180_000);
      return [
        { at, kind: 'process cut off', of: { ...way, as: oneOf(['refused', 'silent']) } },
        { at: end, kind: 'process connected', of: way },
      ];
    },
    strike: {
      'process cut off': (struck) => withLink(struck, (link) => (link.out = struck.of.as as Link['out'])),
      'process connected': (struck) => withLink(struck, (link) => (link.out = undefined)),
    },
    tell: ({ kind, of }) =>
      kind === 'process cut off'
        ? `${of.slot} was cut off from the ${of.to} (${of.as})`
        : `${of.slot} reached the ${of.to} again`,
  },
  {
    of: 'seed',
    hourly: 2,
    draw(drawing) {
      const { at, between } = drawing;
      const way = drawWay(drawing, 0.5);
      const by = between(200, 8_000);
      return [
        { at, kind: 'way slowed', of: { ...way, by } },
        { at: at + between(5_000, 240_000), kind: 'way quick again', of: { ...way, by: 0 } },
      ];
    },
    strike: { 'way slowed': slow, 'way quick again': slow },
    tell: ({ kind, of }) => `${of.slot}: ${kind} (${of.to}${kind === 'way slowed' ? `, ${of.by} ms` : ''})`,
  },
];

/** `toSeed`: how often a prober's way is the one to the seed; a weeder has no other. */
function drawWay({ shape, oneOf, strikes }: Drawing, toSeed: number): Readonly<{ slot: string; to: 'seed' | 'shoot' }> {
  const slot = oneOf(slotNames(shape));
  return { slot, to: strikes(slot.startsWith('weeder') ? 1 : toSeed) ? 'seed' : 'shoot' };
}

function slow(struck: Struck): void {
  withLink(struck, (link) => (link.slow = struck.of.by));
}

function withLink({ slot, of }: Struck, does: (link: Link) => void): void {
  if (slot !== undefined) does(slot.links[of.to as 'seed' | 'shoot']);
}

/** Renewals come late for some minutes. Where no answer comes within 10 s, half of the kubelets send one more, which tells how they were when they wrote it (5.1). */
export const slowGateways: HappeningKind = {
  of: 'shoot',
  hourly: ({ shoots, nodes, twoPaths }) => (nodes > 1 && !twoPaths ? 4 / shoots : 0),
  draw: ({ at, shoot, between }) => [
    { at, kind: 'gateway slowed', shoot, of: { by: between(1_000, 20_000) } },
    { at: at + between(60_000, 180_000), kind: 'gateway quick again', shoot },
  ],
  strike: {
    'gateway slowed': ({ shoot, of }) => shoot && (shoot.kubelets.delay = of.by),
    'gateway quick again': ({ shoot }) => shoot && (shoot.kubelets.delay = 0),
  },
  calm(scene) {
    for (const { kubelets } of scene.seed.shoots) kubelets.delay = 0;
  },
  tell: ({ kind, shoot, of }) => `${shoot}: ${kind}${of.by === undefined ? '' : `, ${of.by} ms`}`,
};
