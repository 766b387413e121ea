import type { Chance } from '../../src/effects/ports.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { Happening } from './happening.ts';
import type { Scene } from './scene.ts';
import type { SeedShape } from './seed-plan.ts';

/** A kind of happening: how it is drawn, what it does, and how it is told. */
export type HappeningKind = Readonly<{
  /** How often it comes in an hour of a shoot's life, or of the seed's where it is not of a shoot; 0 in plans that must not have it. */
  hourly(shape: SeedShape): number;
  of: 'shoot' | 'seed' | 'control plane';
  /** What it needs beside its time; may be many: what begins also ends, by a second happening. */
  draw(chance: Chance, shape: SeedShape, at: Millis, shoot: string): readonly Happening[];
  /** What it does, by the name of its kind. */
  strike: Readonly<Record<string, (scene: Scene, happening: Happening) => void>>;
  /** Puts right what is still wrong by it when the weather ends. */
  calm?(scene: Scene): void;
  /** In the past tense, without the time: `the nodes of shoot--demo--01 were cut off`. */
  tell(happening: Happening): string;
}>;
