import type { Chance } from 'dependency-watchdog/effects/ports.ts';

/** Of one shoot. What the soak has too bears its name there, and how a path breaks is a `PathFault`. */
const shootTroubles = [
  // What the watchdog is for is half of all.
  'external path broken (refuse)',
  'external path broken (cut)',
  'external path broken (hang)',
  'external path broken (reset)',
  'external path broken (slow)',
  'external path broken (cut)',
  'API server down',
  'controller-manager crashed',
  'controller-manager paused',
  'node cut off',
  'Secret rotated',
  'hibernated',
  'rolled',
  'shoot deleted, and created again',
] as const;
/** Of one shoot, too, and whatever else strikes it meanwhile. */
const handTroubles = ['scaled by hand', 'raised by hand', 'raised by hand', 'told to ignore'] as const;
/** Of the two probers. */
const proberTroubles = ['leader crashed', 'leader told to end', 'leader paused', 'standby crashed'] as const;
/** Of the seed. */
const seedTroubles = ['seed down', 'etcd down', 'etcd backed up', 'etcd restored'] as const;

export type ShootTrouble = (typeof shootTroubles)[number];
export type HandTrouble = (typeof handTroubles)[number];
export type ProberTrouble = (typeof proberTroubles)[number];
export type SeedTrouble = (typeof seedTroubles)[number];

/** What strikes whom: `shoot`: its number, from 0. `at` from the beginning of the night, and how long it lasts, in ms. */
export type Trouble = Readonly<{ at: number; length: number }> &
  (
    | Readonly<{ of: 'shoot'; shoot: number; kind: ShootTrouble }>
    | Readonly<{ of: 'hands'; shoot: number; kind: HandTrouble }>
    | Readonly<{ of: 'probers'; kind: ProberTrouble }>
    | Readonly<{ of: 'seed'; kind: SeedTrouble }>
  );

/** How long each lasts at least and at most, in s; a broken path's unless named. */
const lengths: Partial<Readonly<Record<Trouble['kind'], readonly [number, number]>>> = {
  'API server down': [1, 60],
  'controller-manager crashed': [0, 1],
  'controller-manager paused': [2, 30],
  'node cut off': [20, 120],
  'Secret rotated': [0, 1],
  hibernated: [20, 60],
  rolled: [0, 1],
  'shoot deleted, and created again': [5, 30],
  'scaled by hand': [0, 1],
  // For so long somebody looks for something that is down.
  'raised by hand': [30, 90],
  'told to ignore': [20, 60],
  'leader crashed': [1, 10],
  'leader told to end': [1, 10],
  'leader paused': [2, 45],
  'standby crashed': [1, 10],
  'seed down': [1, 20],
  'etcd down': [1, 10],
  'etcd backed up': [1, 2],
  'etcd restored': [1, 2],
};
const pathBroken = [15, 150] as const;

/** From the end of one trouble of a subject to the next one of it, in s. */
const pauses = { shoot: [5, 45], hands: [10, 60], probers: [30, 120], seed: [60, 180] } as const;

/**
 * All troubles of a night that lasts so long, in ms, by when they begin. Those of one subject (a shoot, the hands, the probers, the seed) come one
 * after the other; those of different subjects meet as chance has it. None outlasts the night.
 */
export function drawTroubles(chance: (purpose: string) => Chance, length: number, shoots: number): readonly Trouble[] {
  const ofShoots = Array.from({ length: shoots }, (_, shoot) =>
    drawn(chance(`shoot ${shoot}`), length, pauses.shoot, shootTroubles).map((one): Trouble => ({
      of: 'shoot',
      shoot,
      ...one,
    })),
  );
  const whose = chance('whose');
  const ofHands = drawn(chance('hands'), length, pauses.hands, handTroubles).map((one): Trouble => ({
    of: 'hands',
    shoot: Math.floor(whose() * shoots),
    ...one,
  }));
  const ofProbers = drawn(chance('probers'), length, pauses.probers, proberTroubles).map((one): Trouble => ({
    of: 'probers',
    ...one,
  }));
  const ofSeed = drawn(chance('seed'), length, pauses.seed, seedTroubles).map((one): Trouble => ({
    of: 'seed',
    ...one,
  }));
  return [...ofShoots.flat(), ...ofHands, ...ofProbers, ...ofSeed].toSorted((one, other) => one.at - other.at);
}

function drawn<Kind extends Trouble['kind']>(
  chance: Chance,
  night: number,
  pauses: readonly [number, number],
  kinds: readonly Kind[],
): readonly Readonly<{ at: number; length: number; kind: Kind }>[] {
  const between = ([least, most]: readonly [number, number]) => Math.round(1_000 * (least + (most - least) * chance()));
  const all: { at: number; length: number; kind: Kind }[] = [];
  for (let at = between(pauses); ; at += between(pauses)) {
    const kind = kinds[Math.floor(chance() * kinds.length)] as Kind;
    const length = between(lengths[kind] ?? pathBroken);
    if (at + length > night) return all;
    all.push({ at, length, kind });
    at += length;
  }
}

/** `shoot 2: external path broken (cut), for 37 s`. */
export function troubleWords(trouble: Trouble): string {
  const whom = 'shoot' in trouble ? `shoot ${trouble.shoot + 1}` : trouble.of;
  const long = trouble.length > 1_000 ? `, for ${(trouble.length / 1_000).toFixed(0)} s` : '';
  return `${whom}: ${trouble.kind}${long}`;
}
