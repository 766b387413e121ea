import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Happening } from '../happening.ts';
import type { SlotName } from '../observation.ts';
import type { Scene } from '../scene.ts';
import type { SeedShape } from '../seed-plan.ts';
import type { Slot } from '../slot.ts';

/** Ends and pauses of our own processes. */
export const processDeaths: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: () => 4,
    draw(chance, shape, at) {
      const of = {
        slot: oneOf(chance, slotsOf(shape)),
        length: between(chance, 1_000, oneOf(chance, [20_000, 240_000])),
      };
      return [{ at, kind: oneOf(chance, ['process crashed', 'process paused', 'process told to end']), of }];
    },
    strike: {
      'process crashed': (scene, it) => withSlot(scene, it, (slot) => scene.crash(slot)),
      'process paused': (scene, it) => withSlot(scene, it, (slot) => scene.pause(slot, Number(it.of?.['length']))),
      'process told to end': (scene, it) => withSlot(scene, it, (slot) => scene.terminate(slot)),
    },
    tell: ({ kind, of }) =>
      `${String(of?.['slot'])}: ${kind}${kind === 'process paused' ? ` for ${Number(of?.['length'])} ms` : ''}`,
  },
  // A node that hosts all replicas fails, or a rollout ends them: no standby is there.
  {
    of: 'seed',
    hourly: () => 1,
    draw: (chance, _, at) => [
      {
        at,
        kind: oneOf(chance, ['all processes crashed', 'all processes paused', 'all processes told to end'] as const),
        of: { length: between(chance, 1_000, 120_000) },
      },
    ],
    strike: {
      'all processes crashed': (scene) => scene.slots.forEach((slot) => scene.crash(slot)),
      'all processes paused': (scene, { of }) =>
        scene.slots.forEach((slot) => scene.pause(slot, Number(of?.['length']))),
      'all processes told to end': (scene) => scene.slots.forEach((slot) => scene.terminate(slot)),
    },
    tell: ({ kind }) => kind,
  },
  // A process that crashes again soon after each start, so that the kubelet's back-off grows up to 5 minutes.
  {
    of: 'seed',
    hourly: () => 0.5,
    draw: (chance, shape, at) => [
      {
        at,
        kind: 'crash loop',
        of: {
          slot: oneOf(chance, slotsOf(shape)),
          length: between(chance, 60_000, 900_000),
          lives: between(chance, 50, 8_000),
        },
      },
    ],
    strike: {
      'crash loop': (scene, it) => withSlot(scene, it, (slot) => crashLoop(scene, slot, it)),
    },
    tell: ({ of }) =>
      `${String(of?.['slot'])} crashed, and again ${Number(of?.['lives'])} ms after each start, for ${Number(of?.['length'])} ms`,
  },
];

/** The names of all processes' slots. */
export function slotsOf({ replicas }: SeedShape): readonly SlotName[] {
  return (['prober', 'weeder'] as const).flatMap((role) =>
    Array.from({ length: replicas[role] }, (_, index): SlotName => `${role}-${index}`),
  );
}

/** A smaller plan may have no such slot any more. */
export function withSlot(scene: Scene, { of }: Happening, then: (slot: Slot) => void): void {
  const slot = scene.slot(of?.['slot'] as SlotName);
  if (slot !== undefined) then(slot);
}

function crashLoop(scene: Scene, slot: Slot, { of }: Happening): void {
  const until = scene.now() + Number(of?.['length']);
  const crash = (): void => {
    if (scene.calmSince !== undefined || scene.now() > until) return;
    // Between two starts there is nothing to crash: look again soon.
    const lived = slot.process === undefined ? 0 : scene.now() - slot.startedAt;
    const left = Number(of?.['lives']) - lived;
    if (slot.process !== undefined && left <= 0) scene.crash(slot);
    scene.seed.api.agenda.after(slot.process === undefined ? 1_000 : Math.max(left, 1), crash);
  };
  scene.crash(slot);
  crash();
}
