import {
  BehaviorSubject,
  Subject,
  defer,
  filter,
  finalize,
  map,
  startWith,
  type Observable,
  type Subscription,
} from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { PodRef, PodView } from 'dependency-watchdog/domain/weeder/pod.ts';
import { serviceKey, type ServiceKey, type ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import type { PodSelector } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock, PodNews, PodRemover, PodWatch, ServiceWatch } from 'dependency-watchdog/effects/ports.ts';
import type { WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { weedServices } from 'dependency-watchdog/effects/weed-services.ts';
import type { ServiceEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import { podView, ready, unready } from './weeder-driver.ts';
import { VirtualClock } from './virtual-clock.ts';
import { gardenerWeederConfig } from './weeder-configs.ts';

/** News of a pod as its watch sends them; the uid is made from the name. */
export function podNews(name: string, state: PodView['state'] | 'gone' = 'waiting'): PodNews {
  const pod = { name, uid: `uid-${name}` };
  if (state === 'gone') return { type: 'gone', pod };
  return { type: 'changed', pod: podView(pod, state) };
}

type Deletion = Readonly<{
  namespace: string;
  pod: PodRef;
  withdrawn: AbortSignal;
  answer: (answer: DeletionAnswer) => void;
}>;

/** The seed of a weeder. A test scripts it line by line: nothing else happens. */
export class ScriptedServices implements ServiceWatch, PodWatch, PodRemover {
  readonly services$ = new BehaviorSubject<ReadonlySet<ServiceKey>>(new Set());
  /** Every deletion that was asked for, in this order. */
  readonly deletions: Deletion[] = [];
  /** Every watch that was opened, as `namespace/service selectors`; those that are open, by service. */
  readonly watched: string[] = [];
  readonly watching = new Set<ServiceKey>();
  /** The immediate answer to a deletion. If undefined, a test answers it, or nobody does. A withdrawal is always answered. */
  atOnce: DeletionAnswer | undefined = { outcome: 'deleted' };
  readonly #clock: Clock;
  readonly #last = new Map<ServiceKey, ServiceEvent>();
  readonly #events = new Subject<Readonly<{ service: ServiceKey; event: ServiceEvent }>>();
  readonly #news = new Subject<Readonly<{ service: ServiceKey; news: PodNews }>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  up(service: ServiceKey): void {
    this.tell(service, { type: 'slices.changed', at: this.#clock.now(), slices: ready });
  }

  down(service: ServiceKey): void {
    this.tell(service, { type: 'slices.changed', at: this.#clock.now(), slices: unready });
  }

  /** The service's last slice is gone; listeners hear of it before the service leaves the set. */
  gone(service: ServiceKey): void {
    this.tell(service, { type: 'service.gone', at: this.#clock.now() });
    this.#last.delete(service);
    this.services$.next(new Set(this.#last.keys()));
  }

  tell(service: ServiceKey, event: ServiceEvent): void {
    const isNew = !this.#last.has(service);
    this.#last.set(service, event);
    if (isNew) this.services$.next(new Set(this.#last.keys()));
    else this.#events.next({ service, event });
  }

  /** Gives one service's machine an event that its slices did not send. */
  slip(service: ServiceKey, event: ServiceEvent): void {
    this.#events.next({ service, event });
  }

  pod(service: ServiceKey, ...[name, state]: Parameters<typeof podNews>): void {
    this.send(service, podNews(name, state));
  }

  send(service: ServiceKey, news: PodNews): void {
    this.#news.next({ service, news });
  }

  events$ = (service: ServiceKey): Observable<ServiceEvent> =>
    defer(() => {
      const last = this.#last.get(service);
      const changes = this.#events.pipe(
        filter((one) => one.service === service),
        map(({ event }) => event),
      );
      return last === undefined ? changes : changes.pipe(startWith({ ...last, at: this.#clock.now() }));
    });

  /** What it shows is always new. */
  listAgain = (): void => undefined;

  pods$ = (ref: ServiceRef, selectors: readonly PodSelector[]): Observable<PodNews> =>
    defer(() => {
      const service = serviceKey(ref);
      this.watched.push(`${service} ${selectors.join(' ')}`);
      this.watching.add(service);
      return this.#news.pipe(
        filter((one) => one.service === service),
        map(({ news }) => news),
        finalize(() => this.watching.delete(service)),
      );
    });

  remove: PodRemover['remove'] = (namespace, pod, withdrawn) => {
    const { promise, resolve } = Promise.withResolvers<DeletionAnswer>();
    withdrawn.addEventListener('abort', () => resolve({ outcome: 'withdrawn' }));
    this.deletions.push({ namespace, pod, withdrawn, answer: resolve });
    // A machine that goes round in a circle gets no answer, so that its test fails and does not go on for ever.
    if (this.atOnce !== undefined && this.deletions.length < 1_000) resolve(this.atOnce);
    return promise;
  };
}

const deletionTakes: Millis = 40;

/** A pod with one container that waits in CrashLoopBackOff, or no longer does. */
export function pod(name: string, state: PodView['state'] = 'waiting', uid = `uid-${name}`): PodView {
  return podView({ name, uid }, state, [`${name}-container`]);
}

/** The real runtime and effects of the weeder on a scripted seed, in virtual time. */
export class WeederStage extends ScriptedServices {
  readonly clock: VirtualClock;
  readonly turns: WeederTurn[] = [];
  /** The result of a deletion. */
  answer: (pod: PodRef) => DeletionAnswer = () => ({ outcome: 'deleted' });
  readonly #running: Subscription;

  constructor(...services: readonly ServiceKey[]) {
    const clock = new VirtualClock(1_000_000);
    super(clock);
    this.clock = clock;
    for (const service of services) this.ready(service, 1);
    this.#running = weedServices({
      clock,
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
  ready(service: ServiceKey, count: number): void {
    const slices = { one: { ready: count, endpoints: 2 } };
    this.tell(service, { type: 'slices.changed', at: this.clock.now(), slices });
  }

  sees(service: ServiceKey, ...pods: readonly PodView[]): void {
    for (const one of pods) this.send(service, { type: 'changed', pod: one });
  }

  loses(service: ServiceKey, { name, uid }: PodRef): void {
    this.send(service, { type: 'gone', pod: { name, uid } });
  }

  override remove: PodRemover['remove'] = (_namespace, removed, withdrawn) =>
    new Promise((resolve) => {
      this.clock
        .wakeAt(this.clock.now() + deletionTakes)
        .subscribe(() => resolve(withdrawn.aborted ? { outcome: 'withdrawn' } : this.answer(removed)));
    });
}
