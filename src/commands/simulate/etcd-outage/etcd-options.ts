import type { ShootNamespace } from '../../../domain/shoot-namespace.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import type { RunOptions } from '../storyteller.ts';
import type { PacedClock } from './paced-clock.ts';

/** What a run of the etcd outage was begun with. */
export type EtcdOptions = RunOptions &
  Readonly<{
    clock: PacedClock;
    /** How fast the clock runs while the weeder works; `speed` is how fast it runs else. */
    slowSpeed: number;
    /** To name one in an example. */
    firstShoot: ShootNamespace;
    config: WeederConfig;
  }>;
