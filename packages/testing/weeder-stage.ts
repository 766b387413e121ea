import { BehaviorSubject, Subject, defer, filter, map, startWith, type Observable, type Subscription } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { PodRef, PodView } from 'dependency-watchdog/domain/weeder/pod.ts';
import { serviceKey, type ServiceKey, type ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { PodNews, PodRemover, PodWatch, ServiceWatch } from 'dependency-watchdog/effects/ports.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { weedServices } from 'dependency-watchdog/effects/weed-services.ts';
import type { ServiceEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import { podView } from './weeder-driver.ts';
import { VirtualClock } from './virtual-clock.ts';
import { gardenerWeederConfig } from './weeder-configs.ts';

const deletionTakes: Millis = 40;

/** A pod with one container that waits in CrashLoopBackOff, or no longer does. */
export function pod(name: string, state: PodView['state'] = 'waiting', uid = `uid-${name}`): PodView {
  return podView({ name, uid }, state, [`${name}-container`]);
}

/** The real runtime and effects of the weeder, in virtual time. A test scripts what the seed sends and answers. */
export class WeederStage implements ServiceWatch, PodWatch, PodRemover {
  readonly clock = new VirtualClock(1_000_000);
  readonly turns: WeederTurn[] = [];
  readonly services$: BehaviorSubject<ReadonlySet<ServiceKey>>;
  /** The result of a deletion. */
  answer: (pod: PodRef) => DeletionAnswer = () => ({ outcome: 'deleted' });
  readonly #events = new Subject<readonly [ServiceKey, ServiceEvent]>();
  readonly #news = new Subject<readonly [ServiceKey, PodNews]>();
  readonly #slices = new Map<ServiceKey, number>();
  readonly #running: Subscription;

  constructor(...services: readonly ServiceKey[]) {
    for (const service of services) this.#slices.set(service, 1);
    this.services$ = new BehaviorSubject<ReadonlySet<ServiceKey>>(new Set(services));
    this.#running = weedServices({
      clock: this.clock,
      chance: seededChance(1),
      config: gardenerWeederConfig,
      services: this,
      pods: this,
      remover: this,
    }).subscribe((turn) => this.turns.push(turn));
  }

  stop(): void {
    this.#running.unsubscribe();
  }

  pass(length: Millis): Promise<void> {
    return this.clock.advanceBy(length);
  }

  /** The service has this many ready endpoints out of 2. */
  ready(service: ServiceKey, ready: number): void {
    this.#slices.set(service, ready);
    this.#events.next([service, this.#slicesOf(service)]);
  }

  gone(service: ServiceKey): void {
    this.#events.next([service, { type: 'service.gone', at: this.clock.now() }]);
    this.services$.next(new Set([...this.services$.value].filter((one) => one !== service)));
  }

  sees(service: ServiceKey, ...pods: readonly PodView[]): void {
    for (const one of pods) this.#news.next([service, { type: 'changed', pod: one }]);
  }

  loses(service: ServiceKey, { name, uid }: PodRef): void {
    this.#news.next([service, { type: 'gone', pod: { name, uid } }]);
  }

  events$(service: ServiceKey): Observable<ServiceEvent> {
    const changes$ = told(this.#events, service);
    return defer(() => changes$.pipe(startWith(this.#slicesOf(service))));
  }

  listAgain(): void {}

  pods$(of: ServiceRef): Observable<PodNews> {
    return told(this.#news, serviceKey(of));
  }

  remove(_namespace: string, removed: PodRef, withdrawn: AbortSignal): Promise<DeletionAnswer> {
    return new Promise((resolve) => {
      this.clock
        .wakeAt(this.clock.now() + deletionTakes)
        .subscribe(() => resolve(withdrawn.aborted ? { outcome: 'withdrawn' } : this.answer(removed)));
    });
  }

  #slicesOf(service: ServiceKey): ServiceEvent {
    const ready = this.#slices.get(service) ?? 0;
    return { type: 'slices.changed', at: this.clock.now(), slices: { one: { ready, endpoints: 2 } } };
  }
}

function told<Told>(all$: Observable<readonly [ServiceKey, Told]>, service: ServiceKey): Observable<Told> {
  return all$.pipe(
    filter(([of]) => of === service),
    map(([, one]) => one),
  );
}
