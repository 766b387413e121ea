import type { Clock } from '../../effects/ports.ts';
import type { SeenStory } from './story-words.ts';

/** What every run was begun with, whatever its story. */
export type RunOptions = Readonly<{
  seedNumber: number;
  speed: number;
  shoots: number;
  /** Where the configuration comes from, for people. */
  configName: string;
  clock: Clock;
  /** What belongs behind `--seed=…` to see the same story again: ` --shoots=2`, or nothing. */
  again: string;
}>;

/** Tells a run to somebody: on a screen, in lines, or in JSON. */
export type Storyteller<Seen extends SeenStory, Summary> = Readonly<{
  saw(seen: Seen): void;
  summary(summary: Summary): void;
  /** The world goes on (`--keep`); `kubeconfig` is the path of a file. */
  kept(kubeconfig: string): void;
  /** Whatever happens next is told by somebody else. */
  end(): void;
}>;
