import type { Subscription } from 'rxjs';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { guardShoots, type Guarding } from '../../src/effects/guard-shoots.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { ShootSnapshot } from '../../src/machines/kinds.ts';
import { auditShoot, firstShootAccount, obeyed, type ShootAccount } from './shoot-laws.ts';
import { SimWorld } from './sim-world.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The real runtime and effects over a simulated shoot, in virtual time; each turn is audited as it comes. */
export class GuardedWorld {
  readonly clock: VirtualClock;
  readonly world: SimWorld;
  readonly turns: ShootTurn[] = [];
  /** Laws that a turn broke, each in words. */
  readonly broken: string[] = [];
  readonly #config: ProberConfig;
  readonly #instead: Partial<Guarding>;
  readonly #chance = seededChance(1);
  #account: ShootAccount = firstShootAccount;
  #running: Subscription | undefined;

  /** `instead` gives ports that replace the world's own. */
  constructor(
    config: ProberConfig,
    nodes = 5,
    startAt: Instant = 1_000_000,
    instead: (world: SimWorld, clock: VirtualClock) => Partial<Guarding> = () => ({}),
  ) {
    this.clock = new VirtualClock(startAt);
    this.#config = config;
    this.world = new SimWorld(this.clock, config, nodes);
    this.#instead = instead(this.world, this.clock);
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
      this.#audit(turn);
    });
  }

  get state(): string {
    return this.turns.at(-1)?.to ?? 'none';
  }

  pass(length: Millis): Promise<void> {
    return this.clock.advanceBy(length);
  }

  #audit({ event, before, after, commands, notes }: ShootTurn): void {
    if (event.type === 'started') {
      this.#account = obeyed(firstShootAccount, { commands });
    } else if (event.type === 'ended') {
      if (event.because === 'bug') this.broken.push(`no bug: ${event.error}`);
    } else {
      const turn = { before: before as ShootSnapshot, event, after: after as ShootSnapshot, commands, notes };
      const { account, broken } = auditShoot(this.#account, turn, this.#config);
      this.#account = account;
      for (const law of broken) this.broken.push(`${law}: ${JSON.stringify(event)}`);
    }
  }
}
