import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { cutOff, type HappeningKind, type Struck } from '../happening.ts';
import type { DiskError } from '../memory/memory-disk.ts';
import type { OutputTrouble } from '../memory/memory-output.ts';
import type { Slot } from '../scene.ts';
import { shootNames, slotNames } from '../seed-plan.ts';

// What a process gets from the machine on which it runs.

export const diskTroubles = [
  'disk full',
  'disk failing',
  'disk read-only',
  'disk slow',
  'disk taking little at once',
  'journals deleted',
] as const;

/** The disks that journals are written to. Nothing but the journal may suffer. */
export const disks: HappeningKind = {
  of: 'seed',
  hourly: ({ journals }) => (journals ? 12 : 0),
  draw({ at, shape, between, oneOf }) {
    const kind = oneOf(diskTroubles);
    const of = { slot: oneOf(slotNames(shape)), by: between(1, 4_000) };
    const end = at + between(500, 400_000);
    return [
      { at, kind, of },
      // What is on its way to the disk then must not be lost.
      ...(kind === 'disk slow' ? [{ at: between(at, end), kind: 'process told to end', of }] : []),
      { at: end, kind: 'disk well', of },
    ];
  },
  strike: {
    'disk full': failing('ENOSPC'),
    'disk failing': failing('EIO'),
    'disk read-only': failing('EROFS'),
    'disk slow': ({ slot, of }) => slot && (slot.disk.delay = of.by),
    'disk taking little at once': ({ slot, of }) => slot && (slot.disk.mostAtOnce = of.by),
    'journals deleted': ({ slot }) => slot?.disk.deleteAll(),
    'disk well': ({ slot }) => slot?.disk.makeWell(),
  },
  calm: (scene) => scene.slots.forEach(({ disk }) => disk.makeWell()),
  tell: ({ kind, of }) => `${of.slot}: ${kind}`,
};

function failing(error: DiskError): (struck: Struck) => void {
  return ({ slot }) => slot && (slot.disk.error = error);
}

const outputTroubles: readonly OutputTrouble[] = ['standing still', 'ENOSPC', 'EPIPE'];

/** What reads the log stands still, is full or is gone. Nothing but the log may suffer (SPEC 11.1): no law has patience for it. */
export const outputs: HappeningKind = {
  of: 'seed',
  hourly: ({ hostFails }) => (hostFails ? 9 : 3),
  draw({ at, shape, between, oneOf }) {
    const of = { slot: oneOf(slotNames(shape)), trouble: oneOf(outputTroubles) };
    return [
      { at, kind: 'output in trouble', of },
      { at: at + between(1_000, 600_000), kind: 'output well', of },
    ];
  },
  strike: {
    'output in trouble': ({ slot, of }) => slot && (slot.output.trouble = of.trouble as OutputTrouble),
    'output well': ({ slot }) => slot && (slot.output.trouble = undefined),
  },
  calm: (scene) => scene.slots.forEach(({ output }) => void (output.trouble = undefined)),
  tell: ({ kind, of }) => `${of.slot}: ${kind}${kind === 'output well' ? '' : `, ${of.trouble}`}`,
};

/** A core that is slowed four times: of each so many milliseconds it runs for a quarter. It is odd against the seconds in which laws look. */
const slice: Millis = 410;
/** Long enough to begin a journal, and too short for a first probe; longer where the Lease of the one that crashed has to run out first. */
const shortLife = { alone: 4_000, elected: 20_000 } as const;
const day: Millis = 86_400_000;

export const hosts: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 6 : 0),
    draw({ at, shape, between, oneOf, strikes }) {
      const of = { slot: oneOf(slotNames(shape)) };
      const kind = oneOf(['disk hung', 'no descriptors']);
      // For ever, as often as not: until calm.
      const end = strikes(0.5) ? Infinity : at + between(500, 400_000);
      return [
        { at, kind, of },
        ...(strikes(0.3) ? [{ at: at + between(1, 60_000), kind: 'process told to end', of }] : []),
        { at: end, kind: 'host well', of },
      ];
    },
    strike: {
      'disk hung': ({ slot }) => slot?.disk.hang(),
      'no descriptors': ({ slot }) => {
        if (slot === undefined) return;
        slot.disk.error = 'EMFILE';
        slot.links.seed.lacksDescriptors = slot.links.shoot.lacksDescriptors = true;
      },
      'host well': ({ slot }) => slot && makeWell(slot),
    },
    calm: (scene) => scene.slots.forEach(makeWell),
    tell: ({ kind, of }) => `${of.slot}: ${kind}`,
  },
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 4 : 0),
    draw({ at, shape, oneOf, strikes }) {
      const shoot = oneOf(shootNames(shape.shoots));
      return [
        // As the leases expire the core is slow.
        ...(strikes(0.5) ? cutOff(shoot, at - 20_000, at + 100_000) : []),
        ...slotNames(shape).map((slot) => ({ at, kind: 'core slowed', of: { slot } })),
      ];
    },
    strike: { 'core slowed': slowCore },
    tell: ({ of }) => `the core of ${of.slot} was slowed four times for a minute`,
  },
  // Its clock was a day ahead in an earlier life, and its journals are named so; or it crashes again and again, and each start begins a journal.
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 4 : 0),
    draw({ at, shape, between, oneOf }) {
      const of = { slot: oneOf(slotNames(shape)), starts: between(20, 60) };
      return [{ at, kind: oneOf(['started in the future', 'started again and again']), of }];
    },
    strike: {
      'started in the future': (struck) => {
        const { slot } = struck;
        if (slot === undefined) return;
        slot.ahead = day;
        startAgain(struck, slot, 3, () => void (slot.ahead = 0));
      },
      'started again and again': (struck) =>
        struck.slot && startAgain(struck, struck.slot, struck.of.starts, () => undefined),
    },
    calm: (scene) => scene.slots.forEach((slot) => void (slot.ahead = 0)),
    tell: ({ kind, of }) => `${of.slot} was ${kind}`,
  },
];

function makeWell({ disk, links }: Slot): void {
  disk.makeWell();
  links.seed.lacksDescriptors = links.shoot.lacksDescriptors = false;
}

function slowCore({ scene, slot, agenda }: Struck): void {
  const until = scene.now() + 60_000;
  const next = (): void => {
    if (slot === undefined || scene.calmSince !== undefined || scene.now() > until) return;
    slot.process?.slice((slice * 3) / 4);
    agenda.after(slice, next);
  };
  next();
}

/** Crashes a process and what follows it, so many times. The last one before `then` is crashed as well. */
function startAgain(struck: Struck, slot: Slot, starts: number, then: () => void): void {
  const { scene, agenda } = struck;
  const isLast = starts === 0 || scene.calmSince !== undefined;
  if (isLast) then();
  scene.crash(slot);
  if (isLast) return;
  // No back-off: that would stretch twenty starts over an hour and a half.
  slot.failures = 0;
  scene.start(slot);
  const life = scene.plan.election || scene.plan.replicas[slot.role] > 1 ? shortLife.elected : shortLife.alone;
  agenda.after(life, () => startAgain(struck, slot, starts - 1, then));
}
