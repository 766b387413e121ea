import type { Millis } from '../../../src/domain/time.ts';
import { between, oneOf, strikes } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import type { Slot } from '../slot.ts';
import { cutOff, shootNames } from './outages.ts';
import { slotsOf, withSlot } from './processes.ts';

const hostTroubles = ['disk hung', 'no descriptors'] as const;

/** A core that is slowed four times: of each so many milliseconds it runs for a quarter. It is odd against the seconds in which laws look. */
const slice: Millis = 410;
/** Long enough to begin a journal, and too short for a first probe; longer where the Lease of the one that crashed has to run out first. */
const shortLife = { alone: 4_000, elected: 20_000 } as const;
const day: Millis = 86_400_000;

/** What a process gets from the machine on which it runs. At the end of all kinds, so that what was drawn before stays. */
export const hosts: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 6 : 0),
    draw(chance, shape, at) {
      const of = { slot: oneOf(chance, slotsOf(shape)) };
      const kind = oneOf(chance, hostTroubles);
      // For ever, as often as not: until calm.
      const end = strikes(chance, 0.5) ? Infinity : at + between(chance, 500, 400_000);
      return [
        { at, kind, of },
        ...(strikes(chance, 0.3) ? [{ at: at + between(chance, 1, 60_000), kind: 'process told to end', of }] : []),
        { at: end, kind: 'host well', of },
      ];
    },
    strike: {
      'disk hung': (scene, it) => withSlot(scene, it, ({ disk }) => disk.hang()),
      'no descriptors': (scene, it) =>
        withSlot(scene, it, ({ disk, links }) => {
          disk.error = 'EMFILE';
          links.seed.lacksDescriptors = links.shoot.lacksDescriptors = true;
        }),
      'host well': (scene, it) => withSlot(scene, it, makeWell),
    },
    calm: (scene) => scene.slots.forEach(makeWell),
    tell: ({ kind, of }) => `${String(of?.['slot'])}: ${kind}`,
  },
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 4 : 0),
    draw(chance, shape, at) {
      const shoot = oneOf(chance, shootNames(shape.shoots));
      return [
        // As the leases expire the core is slow.
        ...(strikes(chance, 0.5) ? cutOff(shoot, at - 20_000, at + 100_000) : []),
        ...slotsOf(shape).map((slot) => ({ at, kind: 'core slowed', of: { slot } })),
      ];
    },
    strike: { 'core slowed': (scene, it) => withSlot(scene, it, (slot) => slowCore(scene, slot)) },
    tell: ({ of }) => `the core of ${String(of?.['slot'])} was slowed four times for a minute`,
  },
  // Its clock was a day ahead in an earlier life, and its journals are named so; or it crashes again and again, and each start begins a journal.
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 4 : 0),
    draw(chance, shape, at) {
      const of = { slot: oneOf(chance, slotsOf(shape)), starts: between(chance, 20, 60) };
      return [{ at, kind: oneOf(chance, ['started in the future', 'started again and again']), of }];
    },
    strike: {
      'started in the future': (scene, it) =>
        withSlot(scene, it, (slot) => {
          slot.ahead = day;
          startAgain(scene, slot, 3, () => void (slot.ahead = 0));
        }),
      'started again and again': (scene, it) =>
        withSlot(scene, it, (slot) => startAgain(scene, slot, Number(it.of?.['starts']), () => undefined)),
    },
    calm: (scene) => scene.slots.forEach((slot) => void (slot.ahead = 0)),
    tell: ({ kind, of }) => `${String(of?.['slot'])} was ${kind}`,
  },
];

function makeWell({ disk, links }: Slot): void {
  disk.makeWell();
  links.seed.lacksDescriptors = links.shoot.lacksDescriptors = false;
}

function slowCore(scene: Scene, slot: Slot): void {
  const until = scene.now() + 60_000;
  const next = (): void => {
    if (scene.calmSince !== undefined || scene.now() > until) return;
    slot.process?.slice((slice * 3) / 4);
    scene.seed.api.agenda.after(slice, next);
  };
  next();
}

/** Crashes a process and what follows it, so many times. The last one before `then` is crashed as well. */
function startAgain(scene: Scene, slot: Slot, starts: number, then: () => void): void {
  if (starts === 0 || scene.calmSince !== undefined) then();
  scene.crash(slot);
  if (starts === 0 || scene.calmSince !== undefined) return;
  // No back-off: that would stretch twenty starts over an hour and a half.
  slot.failures = 0;
  scene.start(slot);
  const life = scene.plan.election || scene.plan.replicas[slot.role] > 1 ? shortLife.elected : shortLife.alone;
  scene.seed.api.agenda.after(life, () => startAgain(scene, slot, starts - 1, then));
}
