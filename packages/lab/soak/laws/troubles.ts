import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Seen } from '../observation.ts';

/** Why a node could not be saved; the first that holds is told. Each is something that was done to the seed, never something that the program did. */
export const everyReason = [
  'the Cluster ruled it out, or could not be read',
  'no process lived',
  'the lead was vacant',
  'the way to the seed was closed or slow',
  'the way to the shoot was closed or slow',
  'the seed was not well',
  'its Secret did not lead to it',
  'by a mistake its leases told nothing',
  'the shoot did not answer as it should',
  'etcd was restored, or watches were lost',
  'a dependant was ignored, or written by others',
  'a clock was wrong',
  'a request met a fault',
  'a process had just begun',
  'something else happened to the shoot',
] as const;

/** Nobody but a watch waits for so long: it is no reason for a mark. */
export const silence = 'a watch may be silent';

export type Reason = (typeof everyReason)[number] | typeof silence;

/** What keeps the news of the seed from a process. */
export const blinding: readonly Reason[] = [
  'the way to the seed was closed or slow',
  'the seed was not well',
  'etcd was restored, or watches were lost',
  'a request met a fault',
  silence,
];

/** A watch that has said nothing for 90 s is opened anew, and what it missed is listed. */
export const longestBlindness: Millis = 120_000;

/** Whom a trouble strikes: one shoot, one of our slots (its ways to all shoots included), one shoot as a slot sees it, or, as '', everybody. */
export type Scope = '' | ShootNamespace | `${string} to ${ShootNamespace}`;

/** What was done to a seed, and until when it may be the reason for a node that is marked. */
export class Troubles {
  readonly #until = new Map<Scope, Map<Reason, Instant>>();

  /** A later end counts. */
  add(scope: Scope, reason: Reason, until: Instant): void {
    const own = this.#until.get(scope) ?? new Map<Reason, Instant>();
    this.#until.set(scope, own);
    own.set(reason, Math.max(until, own.get(reason) ?? -Infinity));
  }

  /** Until when the last of these reasons holds for any of these; -Infinity where none ever did. */
  lastOf(scopes: readonly Scope[], among: readonly Reason[]): Instant {
    return Math.max(
      ...scopes.flatMap((scope) => among.map((reason) => this.#until.get(scope)?.get(reason) ?? -Infinity)),
    );
  }

  /** The first reason that holds at an instant for any of these. */
  reasonAt(scopes: readonly Scope[], at: Instant, among: readonly Reason[] = everyReason): Reason | undefined {
    return among.find((reason) => scopes.some((scope) => (this.#until.get(scope)?.get(reason) ?? -Infinity) >= at));
  }
}

/** Of the back-off (6.8). */
const longestPause: Millis = 5_000;

/** Hears for which shoots a webhook changes what is written, which is not what was asked for then, or has left something to the next try (6.8). */
export class WebhooksSeen {
  readonly #until = new Map<ShootNamespace, Instant>();

  happening({ at, happening: { kind, shoot = '', of } }: Seen<'happening'>): void {
    if (!kind.startsWith('webhook')) return;
    // A later one may be shorter.
    const until = at + (of?.length ?? 0) + longestPause;
    this.#until.set(shoot, Math.max(this.#until.get(shoot) ?? -Infinity, until));
  }

  has(shoot: ShootNamespace, at: Instant): boolean {
    return at <= (this.#until.get(shoot) ?? -Infinity);
  }
}

/** Hears when Clusters may be read and listed, and not watched: what is new is told by a GET alone then (3.5). */
export class UnwatchedClusters {
  #since: Instant = Infinity;
  #until: Instant = -Infinity;
  /** By process and shoot, when its Cluster was asked for in that time. */
  readonly #asked = new Map<string, Instant[]>();

  /** Whether the watch may be refused still, or may not have been opened anew. */
  has(at: Instant): boolean {
    return at < this.#until;
  }

  happening({ at, happening: { kind } }: Seen<'happening'>): void {
    if (kind === 'seed well') this.calm({ at });
    if (kind !== 'Clusters unwatchable') return;
    this.#since = at;
    this.#until = Infinity;
    this.#asked.clear();
  }

  calm({ at }: Pick<Seen<'calm'>, 'at'>): void {
    if (this.#until === Infinity) this.#until = at + longestBlindness;
  }

  request({ at, process, request }: Seen<'request'>): void {
    const shoot = this.#until === Infinity ? /\/clusters\/([^/?]+)/.exec(request.url)?.[1] : undefined;
    if (shoot === undefined) return;
    const key = `${process} ${shoot}`;
    this.#asked.set(key, [...(this.#asked.get(key) ?? []), at]);
  }

  /** When a process is told what a Cluster says since an instant, but for what it takes to be answered. `lag`: the watch's own. */
  toldAt(process: string, shoot: ShootNamespace, { since, lag }: Readonly<{ since: Instant; lag: Millis }>): Instant {
    if (since < this.#since - lag || since >= this.#until) return since;
    return this.#asked.get(`${process} ${shoot}`)?.find((at) => at >= since) ?? this.#until;
  }
}
