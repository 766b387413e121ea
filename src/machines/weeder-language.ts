import type { DeletionAnswer, Unselected } from '../domain/weeder/pod-ledger.ts';
import type { PodRef, PodView, Sparing, Waits } from '../domain/weeder/pod.ts';
import type { ServiceRef } from '../domain/weeder/service-ref.ts';
import type { Slices, SliceGap } from '../domain/weeder/service-slices.ts';
import type { PodSelector } from '../domain/weeder/weeder-config.ts';
import type { Instant, Millis } from '../domain/time.ts';

/** What a weeder machine is started with; there is one for each service and namespace. */
export type WeederInput = ServiceRef &
  Readonly<{
    selectors: readonly PodSelector[];
    watchDuration: Millis;
    /** Seed of the machine's own chance, 0 to 2^32 − 1; it decides nothing but jitter. */
    chance: number;
  }>;

/** What the watch on EndpointSlices tells about one service: first all that is known, then changes as they come. */
export type ServiceEvent =
  /** All slices of the service as they are now, so that one slice which takes another's place is no outage. */
  | Readonly<{
      type: 'slices.changed';
      at: Instant;
      slices: Slices;
      /** Present where not all that happened since the last such event was seen. */
      gap?: SliceGap;
    }>
  /** Its last slice is gone; the machine ends with it. */
  | Readonly<{ type: 'service.gone'; at: Instant }>;

/** Everything that can reach a weeder machine: past facts, each with the instant at which it was learned. */
export type WeederEvent =
  | ServiceEvent
  | Readonly<{ type: 'woken'; at: Instant }>
  /** A pod crash-loops, or one that did no longer does. `number`: of the `watchPods` that tells it. */
  | Readonly<{ type: 'pod.changed'; at: Instant; number: number; pod: PodView }>
  | Readonly<{ type: 'pod.gone'; at: Instant; number: number; pod: PodRef }>
  /** `askedAt`: when the effect began. */
  | Readonly<{
      type: 'deletion.answered';
      at: Instant;
      askedAt: Instant;
      asked: WeederCommands['deletePod'];
      answer: DeletionAnswer;
    }>;

/** What a weeder machine can command; each has an effect of the same name that does it once and reports back. */
export type WeederCommands = {
  /** Replaces the wake that is still pending, if any. Answered by `woken`, never early. */
  wake: Readonly<{ at: Instant }>;
  /** The pods that any of the selectors picks are followed until `leavePods`. Tells by `pod.changed` and `pod.gone`. */
  watchPods: Readonly<{ number: number; selectors: readonly PodSelector[] }>;
  /** The pods of `watchPods` of that number are listed again, since it may show nothing any more. What has changed comes as its news. */
  listPods: Readonly<{ number: number }>;
  /** Ends `watchPods` of that number. */
  leavePods: Readonly<{ number: number }>;
  /** With the UID as its precondition; `waits`: why it goes. Answered by `deletion.answered`. */
  deletePod: Readonly<{ number: number; pod: PodRef; waits: Waits }>;
  /** Takes back a `deletePod` that still waits for the rate limit; one that was sent is not cut. It answers in either case. */
  withdraw: Readonly<{ number: number }>;
  /** Tells observers what was judged; has no effect. */
  note: WeederNote;
};

/** What a turn found out or made of it, for metrics, logs, journal and inspector (SPEC 9.1). */
export type WeederNote =
  /** The service came back, or may have while nobody saw it: its dependants are looked after until `endsAt`. `extended`: the window was open already. */
  | Readonly<{ kind: 'windowOpened'; endsAt: Instant; extended: boolean }>
  /** `deleted`: pods in this window; `left`: still crash-looping, and never deleted by us; `unselected`: crash-loop, and no selector picks them (SPEC 7.7). */
  | Readonly<{ kind: 'windowClosed'; deleted: number; left: number; unselected?: Unselected }>
  /** A pod that has begun to crash-loop does not go: never, or not before the pause of its owner is over (SPEC 7.3). */
  | Readonly<{ kind: 'podSpared'; pod: PodRef; because: Sparing }>
  | Readonly<{ kind: 'podSpared'; pod: PodRef; because: 'pause'; until: Instant }>
  /** A pod has to wait, since as many deletions of this service as are allowed are under way. */
  | Readonly<{ kind: 'deletionHeld'; pod: PodRef }>;

/**
 * The service is … `down`: not available, and nobody looks after its dependants. `recovering`: its window is open.
 * `relapsed`: down again within its window. `settled`: available, its window over.
 */
export type WeederState = 'down' | 'recovering' | 'relapsed' | 'settled';

export type WeederCommand = {
  [Name in keyof WeederCommands]: Readonly<{ type: Name; params: WeederCommands[Name] }>;
}[keyof WeederCommands];
