import type { ProberConfig } from '../../domain/prober-config.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { EmbeddedWorld } from './embedded-world.ts';
import type { Clock } from '../../effects/ports.ts';
import type { Seen } from './play-story.ts';
import type { StorySummary } from './story-summary.ts';

/** What a run was begun with. */
export type RunOptions = Readonly<{
  seedNumber: number;
  speed: number;
  shoots: number;
  nodes: number;
  /** To name one in an example. */
  firstShoot: ShootNamespace;
  /** Where the configuration comes from, for people. */
  configName: string;
  config: ProberConfig;
  clock: Clock;
  world: EmbeddedWorld;
  /** What belongs behind `--seed=…` to see the same story again: ` --shoots=2`, or nothing. */
  again: string;
}>;

/** Tells a run to somebody: on a screen, in lines, or in JSON. */
export type Storyteller = Readonly<{
  saw(seen: Seen): void;
  summary(summary: StorySummary): void;
  /** The world goes on (`--keep`); `kubeconfig` is the path of a file. */
  kept(kubeconfig: string): void;
  /** Whatever happens next is told by somebody else. */
  end(): void;
}>;
