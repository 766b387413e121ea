import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { BehaviorSubject, firstValueFrom, fromEvent, merge, Subject, type Observable, type Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import type { KubeClient, WritePermission } from '../kube/kube-client.ts';
import { withDeadline } from '../clock/deadline.ts';
import { KubeError } from '../kube/kube-error.ts';
import { followLease, LeaseClient } from './lease-client.ts';
import { jitterFactor } from './lease-record.ts';
import { LeaseContest, type ContestOutcome, type Taken } from './lease-contest.ts';

/** This process waits to lead, or leads, or has lost its leadership and must end. */
export type Leadership = 'standby' | 'leading' | 'lost';

export type ElectionOptions = Readonly<{
  /** It has a rate limit of its own: a renewal must not wait behind the writes that depend on it. */
  client: KubeClient;
  /** A clock that is never set back; otherwise leadership would seem to last longer. */
  clock: Clock;
  chance: Chance;
  namespace: string;
  /** Of the Lease. */
  name: string;
  /** Of this process and never of another one: `hostname_uuid`, as in client-go. */
  identity: string;
  /** leaseDuration > renewDeadline > 1.2 × retryPeriod. */
  leaseDuration: Millis;
  renewDeadline: Millis;
  retryPeriod: Millis;
  /** Called after each try, with the reason if it is not known who holds the Lease. */
  onTry?: (failure: KubeError | undefined) => void;
  /** Called once, where the Lease may not be watched: then it is asked for at each try only, and a free one is seen seconds later. */
  onUnwatchable?: (failure: KubeError) => void;
  /** Called when a candidate sees that another process holds the Lease, once for each holder. */
  onHolder?: (holder: string) => void;
  /** Called each time that the Lease shows that the seed's history went back, as after a restored backup. */
  onRewound?: (() => void) | undefined;
}>;

/**
 * Leader election by client-go's rules, so that a Go watchdog and this one exclude each other (SPEC 8). It is stricter in two
 * points. The renew deadline counts from the moment when the last good renewal was sent, not from the first one that
 * failed. And a Lease that shows another holder ends leadership at once. A candidate also watches the Lease, and so learns
 * at once that it was released.
 */
export class LeaderElection implements WritePermission {
  readonly #options: ElectionOptions;
  readonly #leases: LeaseClient;
  readonly #contest: LeaseContest;
  readonly #leadership = new BehaviorSubject<Leadership>('standby');
  readonly #writes = new AbortController();
  /** Ends the tries and the sleep between them. */
  readonly #stop = new AbortController();
  /** Ends the watch, which only a waiting candidate needs. */
  readonly #standby = new AbortController();
  readonly #free$ = new Subject<void>();
  /** The Lease was seen free since the last try began. */
  #free = false;
  #leadsUntil: Instant = -Infinity;
  #deadline: Subscription | undefined;
  #running: Promise<void> = Promise.resolve();
  #seenHolder = '';
  #unwatchable = false;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#leases = new LeaseClient(options.client, options.namespace, options.name);
    const { clock, identity, leaseDuration, onRewound } = options;
    this.#contest = new LeaseContest(this.#leases, clock, identity, leaseDuration, onRewound);
  }

  /** Emits the present value, then each change. Completes after `lost`, and when the Lease has been released. */
  get leadership$(): Observable<Leadership> {
    return this.#leadership.asObservable();
  }

  /** Compares the clock, so the permission ends in time even where no timer has fired. */
  granted(): boolean {
    return this.#leadership.value === 'leading' && !this.#isOver() && this.#now() < this.#leadsUntil;
  }

  /** Who held the Lease when it was last seen; empty where nobody did, or nothing is known. */
  get holder(): string {
    return this.#contest.holder;
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** How the Lease was taken, once this process leads. */
  get taken(): Taken {
    return this.#contest.taken;
  }

  get ended(): AbortSignal {
    return this.#writes.signal;
  }

  /** Takes part from now on. Must be called once only. */
  start(): void {
    this.#running = Promise.all([
      this.#contend(),
      followLease(
        this.#leases,
        this.#options.clock,
        this.#standby.signal,
        (lease) => this.#see(lease),
        (failure) => this.#tellUnwatchable(failure),
      ),
    ]).then(() => undefined);
  }

  /**
   * Ends taking part (SPEC 1.4): no write starts any more, those in flight are cut, and the Lease is released if it is
   * ours. Gives up after `timeout`, since the Lease expires by itself; resolves to the failure where it may still be ours.
   */
  async release(timeout: Millis): Promise<KubeError | undefined> {
    this.#end();
    await this.#running;
    // Only its deadline cuts it short.
    const never = new AbortController().signal;
    const failure = await withDeadline(this.#options.clock, this.#now() + timeout, never, (signal) =>
      this.#contest.release(signal),
    ).then(() => undefined, expected);
    this.#leadership.complete();
    return this.#contest.holder === this.#options.identity ? failure : undefined;
  }

  async #contend(): Promise<void> {
    while (!this.#isOver()) {
      const startedAt = this.#now();
      this.#free = false;
      const outcome = await this.#try();
      if (this.#isOver()) return;
      if (outcome?.ours === true) this.#lead(outcome.sentAt);
      // A leader that reads another name in the Lease has already lost it.
      else if (outcome !== undefined && this.#leadership.value === 'leading') this.#lose();
      await this.#sleepUntil(this.#nextTry(startedAt));
    }
  }

  /** Undefined where it is not known who holds the Lease. */
  async #try(): Promise<ContestOutcome | undefined> {
    const { clock, renewDeadline } = this.#options;
    try {
      // As in client-go: a request that hangs leaves time for another one over a new connection.
      const outcome = await withDeadline(clock, this.#now() + renewDeadline / 2, this.#stop.signal, (signal) =>
        this.#contest.tryHold(signal),
      );
      this.#options.onTry?.(undefined);
      this.#tellHolder();
      return outcome;
    } catch (error) {
      const failure = expected(error);
      if (!this.#isOver()) this.#options.onTry?.(failure);
      return undefined;
    }
  }

  #nextTry(startedAt: Instant): Instant {
    const { retryPeriod, chance } = this.#options;
    const now = this.#now();
    if (this.#leadership.value === 'leading') return Math.max(now, startedAt + retryPeriod);
    const jittered = now + retryPeriod * (1 + chance() * jitterFactor);
    // Not later than the Lease expires: without a leader the seed is not protected.
    const expiry = this.#contest.heldUntil;
    return expiry > now ? Math.min(jittered, expiry) : jittered;
  }

  #lead(sentAt: Instant): void {
    const { renewDeadline, leaseDuration, clock } = this.#options;
    const now = this.#now();
    if (this.#leadership.value === 'leading' && now >= this.#leadsUntil) {
      // The process stood still beyond its deadline, so all that it knows is just as old.
      this.#lose();
      return;
    }
    // The Lease contains whole seconds.
    const until = sentAt + Math.min(renewDeadline, Math.floor(leaseDuration / 1_000) * 1_000);
    if (now >= until) return;
    this.#leadsUntil = until;
    this.#deadline?.unsubscribe();
    this.#deadline = clock.wakeAt(until).subscribe(() => this.#lose());
    if (this.#leadership.value !== 'standby') return;
    this.#standby.abort();
    this.#leadership.next('leading');
  }

  #lose(): void {
    this.#end();
    this.#leadership.next('lost');
    this.#leadership.complete();
  }

  #end(): void {
    this.#deadline?.unsubscribe();
    this.#standby.abort();
    this.#stop.abort();
    this.#writes.abort();
  }

  #see(lease: unknown): void {
    this.#contest.see(lease);
    this.#tellHolder();
    if (this.#contest.holder !== '') return;
    this.#free = true;
    this.#free$.next();
  }

  async #sleepUntil(at: Instant): Promise<void> {
    if (this.#isOver() || this.#free) return;
    const stopped$ = fromEvent(this.#stop.signal, 'abort');
    await firstValueFrom(merge(this.#options.clock.wakeAt(at), this.#free$, stopped$));
  }

  #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  #now(): Instant {
    return this.#options.clock.now();
  }

  #tellUnwatchable(failure: KubeError): void {
    if (!this.#unwatchable) this.#options.onUnwatchable?.(failure);
    this.#unwatchable = true;
  }

  #tellHolder(): void {
    const { holder } = this.#contest;
    if (holder === '' || holder === this.#seenHolder) return;
    this.#seenHolder = holder;
    if (holder !== this.#options.identity && this.#leadership.value === 'standby') this.#options.onHolder?.(holder);
  }
}

/** An error that is no KubeError is a bug of ours, and is thrown on. */
function expected(error: unknown): KubeError {
  if (!(error instanceof KubeError)) throw error;
  return error;
}

/** A name for this process in an election, made as in client-go: it leads from the Lease to the pod (SPEC 8). */
export function candidateIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
