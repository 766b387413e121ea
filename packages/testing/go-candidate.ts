import { firstValueFrom } from 'rxjs';
import type { KubeClient } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import { microTime } from 'dependency-watchdog/adapters/election/lease-record.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Lease } from './lease-server.ts';

const collection = '/apis/coordination.k8s.io/v1/namespaces/garden/leases';
const path = `${collection}/dwd-prober-leader-election`;

/**
 * A Go watchdog in an election, step for step like client-go's leaderelection.go (v0.34): ours must live with it.
 * Lease duration 15 s, renew deadline 10 s, retry period 2 s.
 */
export class GoCandidate {
  leads = false;
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #identity: string;
  #lease: Lease | undefined;
  #observed: { spec: string; holder: string; seconds: number; at: number } | undefined;
  #dead = false;

  constructor(client: KubeClient, clock: Clock, chance: Chance, identity: string) {
    this.#client = client;
    this.#clock = clock;
    this.#chance = chance;
    this.#identity = identity;
  }

  /** Dies silently: it gives nothing up. */
  crash(): void {
    this.#dead = true;
    this.leads = false;
  }

  /** It has seen that another one holds the Lease. */
  get sawAnother(): boolean {
    return this.#observed !== undefined && this.#observed.holder !== '' && !this.#isLeader();
  }

  /** Lets the Lease go, as one that was told to end does; it takes part no more. */
  async release(): Promise<void> {
    this.crash();
    if (!this.#isLeader() || this.#lease === undefined) return;
    const now = microTime(this.#clock.now());
    const { leaseTransitions } = this.#lease.spec;
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#client.request({ method: 'PUT', path, body: { ...this.#lease, spec } });
  }

  async run(): Promise<void> {
    while (!this.#dead && !(await this.#tryAcquireOrRenew(this.#clock.now() + 10_000))) {
      await this.#sleep(2_000 * (1 + this.#chance() * 1.2));
    }
    while (!this.#dead) {
      this.leads = true;
      await this.#sleep(2_000);
      if (await this.#renew()) continue;
      this.leads = false;
      return;
    }
  }

  async #renew(): Promise<boolean> {
    const deadline = this.#clock.now() + 10_000;
    const lost = this.#clock.wakeAt(deadline).subscribe(() => (this.leads = false));
    try {
      while (!this.#dead && this.#clock.now() < deadline) {
        if (await this.#tryAcquireOrRenew(deadline)) return this.#clock.now() < deadline;
        await this.#sleep(2_000);
      }
      return false;
    } finally {
      lost.unsubscribe();
    }
  }

  async #tryAcquireOrRenew(deadline: number): Promise<boolean> {
    const abort = new AbortController();
    const timer = this.#clock.wakeAt(Math.min(deadline, this.#clock.now() + 5_000)).subscribe(() => abort.abort());
    try {
      return await this.#attempt(abort.signal);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return false;
    } finally {
      timer.unsubscribe();
    }
  }

  async #attempt(signal: AbortSignal): Promise<boolean> {
    const now = this.#clock.now();
    if (this.#isLeader() && this.#isValid(now) && this.#lease !== undefined) {
      try {
        await this.#update(this.#lease, now, signal);
        return true;
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
      }
    }
    let lease: Lease;
    try {
      lease = (await this.#client.request({ method: 'GET', path, signal })) as Lease;
    } catch (error) {
      if (!(error instanceof KubeError) || error.status !== 404) throw error;
      const body = { metadata: { name: 'dwd-prober-leader-election' }, spec: this.#spec(undefined, now) };
      this.#observe((await this.#client.request({ method: 'POST', path: collection, body, signal })) as Lease);
      return true;
    }
    this.#lease = lease;
    if (this.#observed?.spec !== JSON.stringify(lease.spec)) this.#observe(lease);
    if (lease.spec['holderIdentity'] !== '' && this.#isValid(now) && !this.#isLeader()) return false;
    await this.#update(lease, now, signal);
    return true;
  }

  async #update(lease: Lease, now: number, signal: AbortSignal): Promise<void> {
    const body = { ...lease, spec: this.#spec(lease, now) };
    this.#observe((await this.#client.request({ method: 'PUT', path, body, signal })) as Lease);
  }

  #spec(before: Lease | undefined, now: number): Record<string, unknown> {
    const renews = before !== undefined && this.#isLeader();
    const transitions = Number(before?.spec['leaseTransitions'] ?? 0);
    return {
      holderIdentity: this.#identity,
      leaseDurationSeconds: 15,
      acquireTime: renews ? before.spec['acquireTime'] : microTime(now),
      renewTime: microTime(now),
      leaseTransitions: before === undefined || renews ? transitions : transitions + 1,
    };
  }

  #observe(lease: Lease): void {
    this.#lease = lease;
    this.#observed = {
      spec: JSON.stringify(lease.spec),
      holder: String(lease.spec['holderIdentity']),
      seconds: Number(lease.spec['leaseDurationSeconds']),
      at: this.#clock.now(),
    };
  }

  #isLeader(): boolean {
    return this.#observed?.holder === this.#identity;
  }

  #isValid(now: number): boolean {
    return this.#observed !== undefined && this.#observed.at + this.#observed.seconds * 1_000 > now;
  }

  async #sleep(length: number): Promise<void> {
    await firstValueFrom(this.#clock.wakeAt(this.#clock.now() + length));
  }
}
