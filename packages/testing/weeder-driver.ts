import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { PodOrigin, PodRef, PodView, Waits } from 'dependency-watchdog/domain/weeder/pod.ts';
import type { SliceGap, Slices } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederContext } from 'dependency-watchdog/machines/weeder-context.ts';
import type {
  WeederCommands,
  WeederEvent,
  WeederInput,
  WeederNote,
  WeederState,
} from 'dependency-watchdog/machines/weeder-language.ts';
import { pureMachines, type WeederOutcome } from 'dependency-watchdog/machines/kinds.ts';
import { weederWakeAt } from 'dependency-watchdog/machines/weeder-window.ts';

export const ready: Slices = { one: { ready: 1, endpoints: 1, readyHash: 1 } };
/** By another Pod. */
export const readyAnew: Slices = { one: { ready: 1, endpoints: 1, readyHash: 2 } };
export const unready: Slices = { one: { ready: 0, endpoints: 1 } };

/** What a watch tells of a pod; a waiting one has one container, `main`, unless others are given. */
export function podView(
  ref: PodRef & PodOrigin,
  state: PodView['state'] = 'waiting',
  containers: readonly string[] = ['main'],
): PodView {
  return state === 'waiting' ? { ...ref, state, waits: waits(...containers) } : { ...ref, state };
}

export function waits(...containers: readonly string[]): Waits {
  return { because: 'CrashLoopBackOff', containers };
}

/** Gardener's five minutes. */
export const watchDuration: Millis = 300_000;

/**
 * Plays the whole world of one weeder machine by hand: it sends events one by one, and keeps the machine's commands in words
 * (`watch`, `leave`, `delete a`, `withdraw a`, `say opened` …), by the names of pods. A `wake` is kept as `alarm` and not in
 * words. A pod's uid is made of its name, unless a test gives another.
 */
export class WeederDriver {
  now: Instant = 1_000_000;
  outcome: WeederOutcome;
  alarm: Instant | undefined;
  /** The number of the last watch that was commanded, and of the last deletion of each pod, by name. */
  watch = 0;
  readonly deletions = new Map<string, WeederCommands['deletePod']>();
  readonly #names = new Map<number, string>();

  /** `chance` 1 is a seed number; with it every back-off has its own length. */
  constructor(input: Partial<WeederInput> = {}) {
    const ref = { namespace: 'shoot--desk--one', service: 'kube-apiserver' };
    this.outcome = pureMachines.weeder.first({
      ...ref,
      selectors: ['role in (main)'],
      watchDuration,
      chance: 1,
      ...input,
    });
    this.#obey(this.outcome);
  }

  get state(): WeederState {
    return this.outcome.state;
  }

  get context(): WeederContext {
    return this.outcome.snapshot.context;
  }

  /** The next instant at which time alone moves the machine. */
  get wakeAt(): Instant | undefined {
    return weederWakeAt(this.context, this.state === 'recovering');
  }

  take(event: WeederEvent): readonly string[] {
    this.now = Math.max(this.now, event.at);
    // The alarm that rings is used up; all others go on.
    if (event.type === 'woken' && this.alarm !== undefined && event.at >= this.alarm) this.alarm = undefined;
    this.outcome = pureMachines.weeder.take(this.outcome.snapshot, event);
    return this.#obey(this.outcome);
  }

  // Events from the service's slices.

  slices(slices: Slices, gap?: SliceGap): readonly string[] {
    return this.take({ type: 'slices.changed', at: this.now, slices, ...(gap === undefined ? {} : { gap }) });
  }

  /** The slices are listed after so long a gap. */
  listed(slices: Slices, unseen: Millis): readonly string[] {
    return this.slices(slices, { since: this.now - unseen });
  }

  up(): readonly string[] {
    return this.slices(ready);
  }

  down(): readonly string[] {
    return this.slices(unready);
  }

  serviceGone(): readonly string[] {
    return this.take({ type: 'service.gone', at: this.now });
  }

  // Events from the watch on its dependants.

  pod(name: string, state: PodView['state'] = 'waiting', told: Partial<PodRef & PodOrigin> & { number?: number } = {}) {
    const { number = this.watch, uid = `uid-${name}`, name: _, ...origin } = told;
    return this.take({ type: 'pod.changed', at: this.now, number, pod: podView({ name, uid, ...origin }, state) });
  }

  pods(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.pod(name));
  }

  podGone(name: string, number = this.watch): readonly string[] {
    return this.take({ type: 'pod.gone', at: this.now, number, pod: { name, uid: `uid-${name}` } });
  }

  // Events from time, and the seed's answers.

  /** Answers the last deletion of that pod, unless a test gives another number. */
  answers(
    name: string,
    answer: DeletionAnswer = { outcome: 'deleted' },
    number = this.deletions.get(name)?.number ?? 0,
  ): readonly string[] {
    const never = { pod: { name, uid: `uid-${name}` }, waits: waits() };
    const asked = { ...(this.deletions.get(name) ?? never), number };
    return this.take({ type: 'deletion.answered', at: this.now, askedAt: this.now, asked, answer });
  }

  fails(name: string): readonly string[] {
    return this.answers(name, { outcome: 'failed', reason: '500', detail: 'no' });
  }

  wait(length: Millis): readonly string[] {
    return this.take({ type: 'woken', at: this.now + length });
  }

  /** Wakes the machine at the instant that it asked for; fails if it asked for none. */
  ring(): readonly string[] {
    if (this.alarm === undefined) throw new Error('no wake is pending');
    return this.take({ type: 'woken', at: Math.max(this.now, this.alarm) });
  }

  /** Wakes the machine when its window is over, or would be. */
  ringAtEnd(): readonly string[] {
    return this.take({ type: 'woken', at: this.context.window?.endsAt ?? this.now + watchDuration });
  }

  #obey({ commands, notes }: WeederOutcome): readonly string[] {
    const words = commands.flatMap((command) => {
      switch (command.type) {
        case 'wake':
          this.alarm = command.params.at;
          return [];
        case 'watchPods':
          this.watch = command.params.number;
          return ['watch'];
        case 'listPods':
          return [command.params.number === this.watch ? 'list again' : 'list what is not watched'];
        case 'leavePods':
          return [command.params.number === this.watch ? 'leave' : 'leave what was never watched'];
        case 'deletePod': {
          const { number, pod } = command.params;
          this.deletions.set(pod.name, command.params);
          this.#names.set(number, pod.name);
          return [`delete ${pod.name}`];
        }
        case 'withdraw':
          return [`withdraw ${this.#names.get(command.params.number) ?? 'what was never asked'}`];
      }
    });
    return [...words, ...notes.map(wordsOf)];
  }
}

function wordsOf(note: WeederNote): string {
  switch (note.kind) {
    case 'windowOpened':
      return note.extended ? 'say extended' : 'say opened';
    case 'windowClosed':
      return `say closed (${note.deleted} deleted, ${note.left} left)`;
    case 'deletionHeld':
      return `say held ${note.pod.name}`;
    case 'podSpared':
      return `say spared ${note.pod.name} (${note.because})`;
  }
}
