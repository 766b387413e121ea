import type { DiskError } from '../memory/memory-disk.ts';
import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import type { Slot } from '../slot.ts';
import { slotsOf } from './processes.ts';

export const diskTroubles = [
  'disk full',
  'disk failing',
  'disk read-only',
  'disk slow',
  'disk taking little at once',
  'journals deleted',
] as const;

/** The disks that journals are written to. Nothing but the journal may suffer. */
export const disks: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ journals }) => (journals ? 12 : 0),
    draw(chance, shape, at) {
      const kind = oneOf(chance, diskTroubles);
      const of = { slot: oneOf(chance, slotsOf(shape)), by: between(chance, 1, 4_000) };
      return [
        { at, kind, of },
        { at: at + between(chance, 500, 400_000), kind: 'disk well', of },
      ];
    },
    strike: {
      'disk full': failing('ENOSPC'),
      'disk failing': failing('EIO'),
      'disk read-only': failing('EROFS'),
      'disk slow': (scene, it) => void (slotOf(scene, it).disk.delay = Number(it.of?.['by'])),
      'disk taking little at once': (scene, it) => void (slotOf(scene, it).disk.mostAtOnce = Number(it.of?.['by'])),
      'journals deleted': (scene, it) => slotOf(scene, it).disk.deleteAll(),
      'disk well': (scene, it) => makeWell(slotOf(scene, it)),
    },
    calm: (scene) => scene.slots.forEach(makeWell),
    tell: ({ kind, of }) => `${String(of?.['slot'])}: ${kind}`,
  },
];

function failing(error: DiskError): (scene: Scene, happening: Happening) => void {
  return (scene, it) => void (slotOf(scene, it).disk.error = error);
}

function makeWell({ disk }: Slot): void {
  disk.error = undefined;
  disk.delay = 1;
  disk.mostAtOnce = Infinity;
}

function slotOf(scene: Scene, { of }: Happening): Slot {
  const slot = scene.slots.find(({ name }) => name === of?.['slot']);
  if (slot === undefined) throw new Error(`there is no slot ${String(of?.['slot'])}`);
  return slot;
}
