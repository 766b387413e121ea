import { between, oneOf, strikes } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Link } from '../link.ts';
import type { SlotName } from '../observation.ts';
import type { Scene } from '../scene.ts';
import type { SeedShape } from '../seed-plan.ts';
import { slotsOf } from './processes.ts';

/** One process cannot reach the seed, or no shoot, or only slowly, for seconds or minutes. */
export const linkTroubles: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 3,
    draw(chance, shape, at) {
      const { slot, to } = drawWay(chance, shape, 0.7);
      const end = at + between(chance, 1_000, 180_000);
      return [
        { at, kind: 'process cut off', of: { slot, to, as: oneOf(chance, ['refused', 'silent'] as const) } },
        { at: end, kind: 'process connected', of: { slot, to } },
      ];
    },
    strike: {
      'process cut off': (scene, it) => {
        const link = linkOf(scene, it);
        if (link !== undefined) link.out = it.of?.['as'] as Link['out'];
      },
      'process connected': (scene, it) => {
        const link = linkOf(scene, it);
        if (link !== undefined) link.out = undefined;
      },
    },
    tell: ({ kind, of }) =>
      kind === 'process cut off'
        ? `${String(of?.['slot'])} was cut off from the ${String(of?.['to'])} (${String(of?.['as'])})`
        : `${String(of?.['slot'])} reached the ${String(of?.['to'])} again`,
  },
  {
    of: 'seed',
    hourly: () => 2,
    draw(chance, shape, at) {
      const of = drawWay(chance, shape, 0.5);
      const by = between(chance, 200, 8_000);
      return [
        { at, kind: 'way slowed', of: { ...of, by } },
        { at: at + between(chance, 5_000, 240_000), kind: 'way quick again', of: { ...of, by: 0 } },
      ];
    },
    strike: { 'way slowed': slow, 'way quick again': slow },
    tell: ({ kind, of }) =>
      `${String(of?.['slot'])}: ${kind} (${String(of?.['to'])}${kind === 'way slowed' ? `, ${Number(of?.['by'])} ms` : ''})`,
  },
];

/** `toSeed`: how often a prober's way is the one to the seed; a weeder has no other. */
function drawWay(
  chance: () => number,
  shape: SeedShape,
  toSeed: number,
): Readonly<{ slot: SlotName; to: 'seed' | 'shoot' }> {
  const slot = oneOf(chance, slotsOf(shape));
  return { slot, to: strikes(chance, slot.startsWith('weeder') ? 1 : toSeed) ? 'seed' : 'shoot' };
}

function slow(scene: Scene, it: Happening): void {
  const link = linkOf(scene, it);
  if (link !== undefined) link.slow = Number(it.of?.['by']);
}

const linkOf = ({ slots }: Scene, { of }: Happening): Link | undefined =>
  slots.find(({ name }) => name === of?.['slot'])?.links[of?.['to'] as 'seed' | 'shoot'];
