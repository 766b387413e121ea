import type { Subscription } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { guardShoots, type Guarding } from 'dependency-watchdog/effects/guard-shoots.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { SimWorld } from './sim-world.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The real runtime and effects over a simulated shoot, in virtual time. */
export class GuardedWorld {
  readonly clock: VirtualClock;
  readonly world: SimWorld;
  readonly turns: ShootTurn[] = [];
  readonly #config: ProberConfig;
  readonly #instead: Partial<Guarding>;
  readonly #onTurn: (turn: ShootTurn) => void;
  readonly #chance = seededChance(1);
  #running: Subscription | undefined;

  /** `instead` gives ports that replace the world's own; `onTurn` is called with each turn; `startAt` is when the clock begins. */
  constructor(
    config: ProberConfig,
    nodes = 5,
    {
      instead = () => ({}),
      onTurn = () => undefined,
      startAt = 1_000_000,
    }: Readonly<{
      instead?: (world: SimWorld, clock: VirtualClock) => Partial<Guarding>;
      onTurn?: (turn: ShootTurn) => void;
      startAt?: Instant;
    }> = {},
  ) {
    this.clock = new VirtualClock(startAt);
    this.#config = config;
    this.world = new SimWorld(this.clock, config, nodes);
    this.#instead = instead(this.world, this.clock);
    this.#onTurn = onTurn;
    this.start(false);
  }

  /** As after a crash: the machine forgets everything, the world goes on. */
  restart(followed = false): void {
    this.stop();
    this.start(followed);
  }

  stop(): void {
    this.#running?.unsubscribe();
  }

  start(followed: boolean): void {
    const { clock, world } = this;
    const followedShoots = new Set(followed ? [world.shoot] : []);
    this.#running = guardShoots({
      clock,
      chance: this.#chance,
      config: this.#config,
      seed: world,
      shoots: world,
      machines: world,
      clusters: world,
      scaler: world,
      followed: followedShoots,
      ...this.#instead,
    }).subscribe((turn) => {
      this.turns.push(turn);
      this.#onTurn(turn);
    });
  }

  get state(): string {
    return this.turns.at(-1)?.to ?? 'none';
  }

  pass(length: Millis): Promise<void> {
    return this.clock.advanceBy(length);
  }
}
