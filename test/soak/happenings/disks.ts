import type { DiskError } from '../memory/memory-disk.ts';
import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { Scene } from '../scene.ts';
import type { Slot } from '../slot.ts';
import { slotsOf, withSlot } from './processes.ts';

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
      const end = at + between(chance, 500, 400_000);
      return [
        { at, kind, of },
        // What is on its way to the disk then must not be lost.
        ...(kind === 'disk slow' ? [{ at: between(chance, at, end), kind: 'process told to end', of }] : []),
        { at: end, kind: 'disk well', of },
      ];
    },
    strike: {
      'disk full': failing('ENOSPC'),
      'disk failing': failing('EIO'),
      'disk read-only': failing('EROFS'),
      'disk slow': (scene, it) => withSlot(scene, it, ({ disk }) => void (disk.delay = Number(it.of?.['by']))),
      'disk taking little at once': (scene, it) =>
        withSlot(scene, it, ({ disk }) => void (disk.mostAtOnce = Number(it.of?.['by']))),
      'journals deleted': (scene, it) => withSlot(scene, it, ({ disk }) => disk.deleteAll()),
      'disk well': (scene, it) => withSlot(scene, it, makeWell),
    },
    calm: (scene) => scene.slots.forEach(makeWell),
    tell: ({ kind, of }) => `${String(of?.['slot'])}: ${kind}`,
  },
];

function failing(error: DiskError): (scene: Scene, happening: Happening) => void {
  return (scene, it) => withSlot(scene, it, ({ disk }) => void (disk.error = error));
}

function makeWell({ disk }: Slot): void {
  disk.makeWell();
}
