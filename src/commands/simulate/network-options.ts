import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { EmbeddedWorld } from './embedded-world.ts';
import type { RunOptions } from './storyteller.ts';

/** What a run of the network outage was begun with. */
export type NetworkOptions = RunOptions &
  Readonly<{
    /** In each shoot. */
    nodes: number;
    /** To name one in an example. */
    firstShoot: ShootNamespace;
    config: ProberConfig;
    world: EmbeddedWorld;
  }>;
