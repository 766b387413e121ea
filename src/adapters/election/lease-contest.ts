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
  heldUntil,
  observeLease,
  type ObservedLease,
} from './lease-record.ts';

/** What came of a try: the Lease is ours since a request that was sent at `sentAt`, or it is somebody else's until an instant. */
export type ContestOutcome =
  | Readonly<{ ours: true; sentAt: Instant }>
  | Readonly<{ ours: false; holder: string; until: Instant }>;

/** One candidate's view of the Lease, and its tries for it by client-go's rules (SPEC 8). Decides by its own clock only. */
export class LeaseContest {
  readonly #leases: LeaseClient;
  readonly #clock: Clock;
  readonly #identity: string;
  readonly #leaseSeconds: number;
  /** The Lease as it was last answered; undefined where it is not known what it is like. */
  #lease: unknown;
  #observed: ObservedLease | undefined;
  /** Whoever held it in a history that is gone may not have heard of that yet, and lead still. */
  #othersUntil: Instant = -Infinity;

  constructor(leases: LeaseClient, clock: Clock, identity: string, leaseDuration: Millis) {
    this.#leases = leases;
    this.#clock = clock;
    this.#identity = identity;
    this.#leaseSeconds = Math.floor(leaseDuration / 1_000);
  }

  /** Who held it when it was last seen; empty where nobody does, or nothing is known. */
  get holder(): string {
    return this.#observed?.record.holderIdentity ?? '';
  }

  get heldUntil(): Instant {
    return this.#observed === undefined ? this.#othersUntil : Math.max(this.#othersUntil, heldUntil(this.#observed));
  }

  /** Takes note of what a watch tells, undefined where there is no Lease any more. What is older than what is known changes nothing: a watch lags. */
  see(lease: unknown): void {
    if (!this.#isOlder(lease)) this.#take(lease);
  }

  /** Takes the Lease, or renews it, in at most three requests. Rejects with KubeError where that is not known to have happened. */
  async tryHold(signal: AbortSignal): Promise<ContestOutcome> {
    if (this.#lease !== undefined && this.holder === this.#identity) {
      try {
        return await this.#write(signal);
      } catch (error) {
        // Somebody may have touched it, or an answer of ours was lost: it is looked at afresh.
        if (!(error instanceof KubeError) || signal.aborted) throw error;
      }
    }
    const startedAt = this.#clock.now();
    await this.#believe(this.#leases.get(signal));
    const until = this.heldUntil;
    if (this.holder !== this.#identity && until > startedAt) return { ours: false, holder: this.holder, until };
    return this.#write(signal);
  }

  /** Lets the Lease go where it is ours, so that nobody need wait: an empty holder, for one second. */
  async release(signal: AbortSignal): Promise<void> {
    await this.#believe(this.#leases.get(signal));
    if (this.#lease === undefined || this.holder !== this.#identity) return;
    const now = microTime(this.#clock.now());
    const { leaseTransitions } = readLeaseRecord(this.#lease);
    const record = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#believe(this.#leases.update(this.#lease, record, signal));
  }

  async #write(signal: AbortSignal): Promise<ContestOutcome> {
    const sentAt = this.#clock.now();
    const record = this.#record(sentAt);
    const lease = this.#lease;
    await this.#believe(
      lease === undefined ? this.#leases.create(record, signal) : this.#leases.update(lease, record, signal),
    );
    return { ours: true, sentAt };
  }

  /**
   * An answer counts, however old it looks: the seed may have been restored from a backup. Only what a watch told while
   * it was under way may be newer.
   */
  async #believe(asked: Promise<unknown>): Promise<void> {
    const before = this.#lease;
    const wasOurs = this.holder === this.#identity;
    const lease = await asked;
    if (this.#lease !== before && this.#isOlder(lease)) return;
    const wentBack = before !== undefined && (lease === undefined || this.#isOlder(lease));
    if (wentBack && !wasOurs) this.#othersUntil = this.#clock.now() + this.#leaseSeconds * 1_000;
    this.#take(lease);
  }

  #isOlder(lease: unknown): boolean {
    return lease !== undefined && isOlder(versionOf(lease), versionOf(this.#lease));
  }

  #take(lease: unknown): void {
    this.#lease = lease;
    this.#observed =
      lease === undefined ? undefined : observeLease(this.#observed, readLeaseRecord(lease), this.#clock.now());
  }

  #record(now: Instant): LeaseRecord {
    const before = this.#lease === undefined ? undefined : readLeaseRecord(this.#lease);
    const renews = before?.holderIdentity === this.#identity;
    const time = microTime(now);
    return {
      holderIdentity: this.#identity,
      leaseDurationSeconds: this.#leaseSeconds,
      acquireTime: renews ? before.acquireTime : time,
      renewTime: time,
      // As client-go counts: the first holder of a new Lease is no transition.
      leaseTransitions: before === undefined ? 0 : before.leaseTransitions + (renews ? 0 : 1),
    };
  }
}

/** An answer without a version is older than every other. */
function versionOf(lease: unknown): string {
  return textAt(lease, 'metadata', 'resourceVersion') || '0';
}
