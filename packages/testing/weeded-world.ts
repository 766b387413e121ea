import type { Subscription } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { oncePerIncarnation } from 'dependency-watchdog/adapters/weeder-seed/pod-remover.ts';
import type { ServiceKey } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import type { WeederEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import { weedServices } from 'dependency-watchdog/effects/weed-services.ts';
import { VirtualClock } from './virtual-clock.ts';
import { auditWeeder, firstWeederAccount, type WeederAccount } from './weeder-laws.ts';
import { WeederWorld } from './weeder-world.ts';

/** The real runtime and effects over simulated namespaces, in virtual time; each turn is audited as it comes. */
export class WeededWorld {
  readonly clock: VirtualClock;
  readonly world: WeederWorld;
  readonly turns: WeederTurn[] = [];
  /** Laws that a turn broke, each in words. */
  readonly broken: string[] = [];
  readonly #config: WeederConfig;
  readonly #chance = seededChance(1);
  readonly #accounts = new Map<ServiceKey, WeederAccount>();
  readonly #states = new Map<ServiceKey, string>();
  #running: Subscription | undefined;

  constructor(config: WeederConfig, startAt: Instant = 1_000_000) {
    this.clock = new VirtualClock(startAt);
    this.#config = config;
    this.world = new WeederWorld(this.clock, config.watchDuration);
  }

  start(): void {
    const { clock, world } = this;
    this.#running = weedServices({
      clock,
      chance: this.#chance,
      config: this.#config,
      services: world,
      pods: world,
      remover: oncePerIncarnation(world),
    }).subscribe((turn) => {
      this.turns.push(turn);
      this.#audit(turn);
    });
  }

  stop(): void {
    this.#running?.unsubscribe();
    this.#states.clear();
  }

  /** As after a crash: the machines forget everything, the world goes on. */
  restart(): void {
    this.stop();
    this.start();
  }

  pass(length: Millis): Promise<void> {
    return this.clock.advanceBy(length);
  }

  /** `gone` if no machine runs. */
  stateOf(service: ServiceKey): string {
    return this.#states.get(service) ?? 'gone';
  }

  /** How much time is left of its window; below 0 if there is none. */
  leftOf(service: ServiceKey): Millis {
    return (this.#accounts.get(service)?.endsAt ?? -Infinity) - this.clock.now();
  }

  #audit({ subject: service, event, to, commands, notes }: WeederTurn): void {
    this.#states.set(service, to);
    switch (event.type) {
      case 'started':
        this.#accounts.set(service, firstWeederAccount);
        return;
      case 'ended':
        this.#states.delete(service);
        if (event.because === 'bug') this.broken.push(`no bug: ${event.error}`);
        return;
      case 'slices.changed':
      case 'service.gone':
      case 'woken':
      case 'pod.changed':
      case 'pod.gone':
      case 'deletion.answered': {
        if (event.type === 'deletion.answered') this.#keepAnswer(event);
        const before = this.#accounts.get(service) ?? firstWeederAccount;
        const turn = { state: to, commands, notes };
        const { account, broken } = auditWeeder(before, event, turn, this.#config.watchDuration);
        this.#accounts.set(service, account);
        for (const law of broken) this.broken.push(`${law}: ${JSON.stringify(event)}`);
      }
    }
  }

  #keepAnswer({
    asked: {
      pod: { uid },
    },
    answer,
  }: Extract<WeederEvent, { type: 'deletion.answered' }>): void {
    if (answer.outcome === 'deleted' && !this.world.toldDeleted(uid))
      this.broken.push(`S8 an incarnation is deleted once, whoever asks: ${uid}`);
  }
}
