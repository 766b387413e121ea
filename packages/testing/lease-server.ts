import { Observable, Subject } from 'rxjs';
import type { KubeClient, KubeRequest } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import { refusal } from './fake-kube-client.ts';

export type Lease = { metadata: { name: string; resourceVersion: string }; spec: Record<string, unknown> };

/** How a candidate reaches the server. `deaf`: its requests arrive, but no answer reaches it. */
export type Line = 'up' | 'hangs' | 'refused' | 'deaf';

/** One Lease, with optimistic concurrency, watches, and a separate line to each candidate. */
export class LeaseServer {
  lease: Lease | undefined;
  /** False means that RBAC grants no watch. */
  watchable = true;
  readonly lines = new Map<string, Line>();
  /** The version of the Lease that each candidate heard of last, by an answer or by its watch. */
  readonly heard = new Map<string, string>();
  /** When each holder last changed the Lease. */
  readonly changedAt = new Map<unknown, Instant>();
  readonly asked: { at: Instant; who: string; method: string; path: string }[] = [];
  readonly #clock: Clock;
  readonly #changes = new Subject<{ type: string; object: Lease }>();
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get holder(): unknown {
    return this.lease?.spec['holderIdentity'];
  }

  clientOf(who: string): KubeClient {
    return {
      request: async (request) => {
        this.asked.push({ at: this.#clock.now(), who, method: request.method, path: request.path });
        const line = this.lines.get(who) ?? 'up';
        if (line === 'refused') throw new KubeError('unreachable', 'nobody there');
        if (line === 'hangs') return hang(request.signal);
        const answer = this.serve(request);
        if (line === 'deaf') return hang(request.signal);
        this.heard.set(who, answer.metadata.resourceVersion);
        return answer;
      },
      pieces: () => {
        throw new Error('no list is read in pieces here');
      },
      lines: (request) => this.#watch(who, request),
    };
  }

  serve({ method, body }: Pick<KubeRequest, 'method' | 'body'>): Lease {
    const sent = structuredClone(body) as Lease;
    switch (method) {
      case 'GET':
        if (this.lease === undefined) throw refusal(404, 'NotFound');
        return structuredClone(this.lease);
      case 'POST':
        if (this.lease !== undefined) throw refusal(409, 'AlreadyExists');
        return this.#store(sent, 'ADDED');
      case 'PUT':
        if (this.lease === undefined) throw refusal(404, 'NotFound');
        if (sent.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw refusal(409, 'Conflict');
        // As the API server does: an update that changes nothing gives no new version, and no watch shows it.
        if (JSON.stringify(sent) === JSON.stringify(this.lease)) return sent;
        return this.#store(sent, 'MODIFIED');
      case 'PATCH':
      case 'DELETE':
        throw refusal(403, `the verb of ${method} is not granted`);
    }
  }

  delete(): void {
    if (this.lease === undefined) return;
    this.#changes.next({ type: 'DELETED', object: this.lease });
    this.lease = undefined;
  }

  /** A backup is put back: the Lease is as it was then, older than what has been seen since, though the counter goes on. Watches do not show it. */
  restore(lease: Lease | undefined): void {
    this.lease = structuredClone(lease);
  }

  #store(lease: Lease, type: string): Lease {
    this.#version += 1;
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    this.changedAt.set(this.holder, this.#clock.now());
    this.#changes.next({ type, object: structuredClone(this.lease) });
    return structuredClone(this.lease);
  }

  async *#watch(who: string, { signal }: KubeRequest): AsyncGenerator<unknown, void, undefined> {
    this.asked.push({ at: this.#clock.now(), who, method: 'WATCH', path: '' });
    if (!this.watchable) throw refusal(403, 'Forbidden');
    if ((this.lines.get(who) ?? 'up') !== 'up') throw new KubeError('unreachable', 'nobody there');
    const waiting: unknown[] = this.lease === undefined ? [] : [{ type: 'ADDED', object: structuredClone(this.lease) }];
    if (this.lease !== undefined) this.heard.set(who, this.lease.metadata.resourceVersion);
    let wake: (() => void) | undefined;
    const hearing = this.#changes.subscribe((change) => {
      if ((this.lines.get(who) ?? 'up') !== 'up') return;
      this.heard.set(who, change.object.metadata.resourceVersion);
      waiting.push(change);
      wake?.();
    });
    try {
      for (;;) {
        if (signal?.aborted) throw new KubeError('aborted', 'cut');
        if (waiting.length > 0) yield waiting.shift();
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
            signal?.addEventListener('abort', () => resolve());
          });
      }
    } finally {
      hearing.unsubscribe();
    }
  }
}

/** The clock of one process: it is wrong by `offset`, and every timer is late while the process stands still. */
export class OwnClock implements Clock {
  readonly #clock: Clock;
  readonly #offset: number;
  stillUntil: Instant = -Infinity;

  constructor(clock: Clock, offset = 0) {
    this.#clock = clock;
    this.#offset = offset;
  }

  now(): Instant {
    return this.#clock.now() + this.#offset;
  }

  wakeAt(at: Instant): Observable<Instant> {
    return new Observable((observer) => {
      let wake = this.#clock.wakeAt(at - this.#offset).subscribe(() => look());
      const look = (): void => {
        if (this.#clock.now() < this.stillUntil) {
          wake = this.#clock.wakeAt(this.stillUntil).subscribe(() => look());
          return;
        }
        observer.next(this.now());
        observer.complete();
      };
      return () => wake.unsubscribe();
    });
  }
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const cut = (): void => reject(new KubeError('aborted', 'was cut off'));
    if (signal?.aborted === true) cut();
    else signal?.addEventListener('abort', cut);
  });
}
