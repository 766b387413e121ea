import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import type { TwoPathConfig } from '../../src/domain/prober/prober-config.ts';
import type { ShootPath } from '../../src/domain/prober/shoot-path.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';

/** `silent`: no answer ever, as by a bug. */
type Fault = ProbeFailureReason | 'silent' | undefined;
type Faults = Readonly<Record<ShootPath, Fault>>;

/** Both paths, so many milliseconds after they were asked. */
export type Slowness = Readonly<Record<ShootPath, number>>;

/** One shoot with two paths, which answer as the test says. */
export class PathWorld {
  readonly guarded: GuardedWorld;
  #faults: Faults = { internal: undefined, external: undefined };
  #slow: Slowness = { internal: 5, external: 5 };

  constructor(config: TwoPathConfig = twoPathConfig) {
    this.guarded = new GuardedWorld(config, 2, {
      instead: (world, clock) => ({
        shoots: {
          listLeases: (shoot, deadlineAt, signal) => world.listLeases(shoot, deadlineAt, signal),
          listNodes: (...asked) => world.listNodes(...asked),
          askPath: async (_shoot, path) => {
            const reason = this.#faults[path];
            await new Promise<void>((resolve) => {
              if (reason !== 'silent') clock.wakeAt(clock.now() + this.#slow[path]).subscribe(() => resolve());
            });
            return reason === undefined || reason === 'silent' ? undefined : { stage: path, reason, detail: 'no' };
          },
        },
      }),
    });
  }

  /** A calm minute. */
  static async connected(): Promise<PathWorld> {
    const world = new PathWorld();
    await world.guarded.pass(60_000);
    if (world.guarded.state !== 'probing') throw new Error(`the shoot is ${world.guarded.state}`);
    return world;
  }

  /** The turns of so many milliseconds with these faults. */
  async during(millis: number, faults: Partial<Faults>, slow = this.#slow): Promise<readonly ShootTurn[]> {
    const from = this.guarded.turns.length;
    this.#faults = { internal: undefined, external: undefined, ...faults };
    this.#slow = slow;
    await this.guarded.pass(millis);
    return this.guarded.turns.slice(from);
  }
}
