import type { Instant, Millis } from '../../domain/time.ts';
import { isOlder } from '../../domain/resource-version.ts';
import { textAt } from '../../domain/value-at.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import type { LeaseClient } from './lease-client.ts';
import {
  microTime,
  readLeaseRecord,
  type LeaseRecord,
  mostTransitions,
  heldUntil,
  observeLease,
  type ObservedLease,
} from './lease-record.ts';

/** The outcome of a try: the Lease is ours by a request that was sent at `sentAt`, or another process holds it until an instant. */
export type ContestOutcome =
  | Readonly<{ ours: true; sentAt: Instant }>
  | Readonly<{ ours: false; holder: string; until: Instant }>;

/** How the Lease became ours, and from whom, as far as it was seen. */
export type Taken = Readonly<{ how: 'free' | 'released' | 'ranOut'; from?: string }>;

/** One candidate's view of the Lease, and its tries to get it by client-go's rules (SPEC 8). It relies on its own clock only. */
export class LeaseContest {
  readonly #leases: LeaseClient;
  readonly #clock: Clock;
  readonly #identity: string;
  readonly #leaseSeconds: number;
  readonly #onRewound: () => void;
  /** The Lease as last seen; undefined where there is none, or nothing is known. */
  #lease: unknown;
  #observed: ObservedLease | undefined;
  /** Who else held it last. */
  #formerHolder = '';
  #taken: Taken = { how: 'free' };
  /** A holder from a history that is gone may not know that yet, and may still lead. */
  #othersUntil: Instant = -Infinity;

  /** `onRewound`: an answer shows an older Lease than was seen before, so the seed's history went back (SPEC 6.6). */
  constructor(
    leases: LeaseClient,
    clock: Clock,
    identity: string,
    leaseDuration: Millis,
    onRewound: () => void = () => undefined,
  ) {
    this.#leases = leases;
    this.#clock = clock;
    this.#identity = identity;
    this.#leaseSeconds = Math.floor(leaseDuration / 1_000);
    this.#onRewound = onRewound;
  }

  /** The holder when it was last seen; empty where nobody holds it, or nothing is known. */
  get holder(): string {
    return this.#observed?.record.holderIdentity ?? '';
  }

  /** How the Lease was taken, once it is ours. */
  get taken(): Taken {
    return this.#taken;
  }

  get heldUntil(): Instant {
    return this.#observed === undefined ? this.#othersUntil : Math.max(this.#othersUntil, heldUntil(this.#observed));
  }

  /** Records what a watch shows; undefined where there is no Lease any more. An older version than the known one is ignored, since a watch lags. */
  see(lease: unknown): void {
    if (!this.#isOlder(lease)) this.#update(lease);
  }

  /** Takes the Lease or renews it, with at most three requests. Rejects with KubeError where it is not known whether that worked. */
  async tryHold(signal: AbortSignal): Promise<ContestOutcome> {
    if (this.#lease !== undefined && this.holder === this.#identity) {
      try {
        return await this.#write(signal);
      } catch (error) {
        // Somebody may have changed it, or an answer to us was lost. So it is read again.
        if (!(error instanceof KubeError) || signal.aborted) throw error;
      }
    }
    const startedAt = this.#clock.now();
    await this.#record(this.#leases.get(signal));
    const until = this.heldUntil;
    if (this.holder !== this.#identity && until > startedAt) return { ours: false, holder: this.holder, until };
    return this.#write(signal);
  }

  /** Releases the Lease if it is ours, so that nobody has to wait: it gets an empty holder, for one second. */
  async release(signal: AbortSignal): Promise<void> {
    try {
      await this.#letGo(signal);
    } catch (error) {
      // A renewal that was under way when we ended may arrive after the Lease was read.
      if (!(error instanceof KubeError) || error.status !== 409) throw error;
      await this.#letGo(signal);
    }
  }

  async #letGo(signal: AbortSignal): Promise<void> {
    await this.#record(this.#leases.get(signal));
    if (this.#lease === undefined || this.holder !== this.#identity) return;
    const now = microTime(this.#clock.now());
    const { leaseTransitions } = readLeaseRecord(this.#lease);
    const record = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#record(this.#leases.update(this.#lease, record, signal));
  }

  async #write(signal: AbortSignal): Promise<ContestOutcome> {
    const sentAt = this.#clock.now();
    const record = this.#recordToWrite(sentAt);
    const lease = this.#lease;
    if (this.holder !== this.#identity) this.#taken = this.#takenNow();
    await this.#record(
      lease === undefined ? this.#leases.create(record, signal) : this.#leases.update(lease, record, signal),
    );
    return { ours: true, sentAt };
  }

  /**
   * Records an answer, even where it looks old: the seed may have been restored from a backup. Only what a watch showed while the request
   * was under way may be newer.
   */
  async #record(asked: Promise<unknown>): Promise<void> {
    const before = this.#lease;
    const wasOurs = this.holder === this.#identity;
    const lease = await asked;
    if (this.#lease !== before && this.#isOlder(lease)) return;
    const isOlder = this.#isOlder(lease);
    if (isOlder) this.#onRewound();
    const wentBack = before !== undefined && (lease === undefined || isOlder);
    if (wentBack && !wasOurs) this.#othersUntil = this.#clock.now() + this.#leaseSeconds * 1_000;
    this.#update(lease);
  }

  #isOlder(lease: unknown): boolean {
    return lease !== undefined && isOlder(versionOf(lease), versionOf(this.#lease));
  }

  #update(lease: unknown): void {
    this.#lease = lease;
    this.#observed =
      lease === undefined ? undefined : observeLease(this.#observed, readLeaseRecord(lease), this.#clock.now());
    if (this.holder !== '' && this.holder !== this.#identity) this.#formerHolder = this.holder;
  }

  #takenNow(): Taken {
    const from = this.#formerHolder === '' ? {} : { from: this.#formerHolder };
    if (this.holder !== '') return { how: 'ranOut', ...from };
    const isReleased = this.#lease !== undefined && readLeaseRecord(this.#lease).renewTime !== '';
    return { how: isReleased ? 'released' : 'free', ...from };
  }

  #recordToWrite(now: Instant): LeaseRecord {
    const before = this.#lease === undefined ? undefined : readLeaseRecord(this.#lease);
    const renews = before?.holderIdentity === this.#identity;
    const time = microTime(now);
    return {
      holderIdentity: this.#identity,
      leaseDurationSeconds: this.#leaseSeconds,
      acquireTime: renews ? before.acquireTime : time,
      renewTime: time,
      // client-go counts in this way: the first holder of a new Lease is no transition.
      leaseTransitions:
        before === undefined ? 0 : Math.min(mostTransitions, before.leaseTransitions + (renews ? 0 : 1)),
    };
  }
}

/** An answer without a version is older than every other. */
function versionOf(lease: unknown): string {
  return textAt(lease, 'metadata', 'resourceVersion') || '0';
}
