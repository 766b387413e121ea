import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/** A stream that does not follow the seed at present. */
export type DeadStream = Readonly<{
  stream: string;
  /** Which of the many streams with this name; absent where there is but one. */
  of?: string | undefined;
  since: Instant;
  /** It was live before. */
  wasLive: boolean;
  /** The seed does not let us watch this kind, or does not serve it. */
  refused: boolean;
  /** Of its last failure; undefined where it waits for its first answer. */
  reason: string | undefined;
}>;

/** The streams of a role, as their notices tell of them: which of them do not follow the seed, since when and why (SPEC 9.2). */
export class SeedStreams {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #names: readonly string[];
  readonly #live = new Map<string, string>();
  readonly #dead = new Map<string, DeadStream>();
  readonly #someLive = new BehaviorSubject(false);

  /** `names`: those that the role has at all times, even while none of them is open. */
  constructor(clock: Pick<Clock, 'now'>, names: readonly string[]) {
    this.#clock = clock;
    this.#names = names;
  }

  /** Whether anything of the seed can be read: at once, then each change. */
  get someLive$(): Observable<boolean> {
    return this.#someLive.pipe(distinctUntilChanged());
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** By a key of the stream. */
  get dead(): ReadonlyMap<string, DeadStream> {
    return this.#dead;
  }

  /** For each name, how long its streams have been dead: the longest time, 0 where all are live. Of the role's own, and of those that are open. */
  outFor(): ReadonlyMap<string, Millis> {
    const longest = new Map([...this.#names, ...this.#live.values()].map((name) => [name, 0]));
    const now = this.#clock.now();
    for (const { stream, since } of this.#dead.values())
      longest.set(stream, Math.max(longest.get(stream) ?? 0, now - since));
    return longest;
  }

  /** The names of those that the seed does not let us watch, or does not serve. */
  refused(): ReadonlySet<string> {
    return new Set([...this.#dead.values()].filter(({ refused }) => refused).map(({ stream }) => stream));
  }

  /** Those that were never live, with the reasons: `clusters, secrets/x (connection refused)`. */
  missing(): string {
    const never = [...this.#dead.values()].filter(({ wasLive }) => !wasLive);
    return [...Map.groupBy(never, ({ reason }) => reason ?? 'no answer yet')]
      .map(([reason, all]) => `${[...new Set(all.map(({ stream }) => stream))].join(', ')} (${reason})`)
      .join('; ');
  }

  /** Every notice has to pass through here, in order. */
  take(notice: StreamNotice): void {
    const { stream, of } = notice;
    const key = streamKey(notice);
    const dead = this.#dead.get(key);
    switch (notice.kind) {
      case 'opening':
        this.#dead.set(key, {
          stream,
          of,
          since: this.#clock.now(),
          wasLive: false,
          refused: false,
          reason: undefined,
        });
        break;
      case 'live':
        this.#dead.delete(key);
        this.#live.set(key, stream);
        break;
      case 'out': {
        const { refused, reason } = notice;
        const since = dead?.since ?? this.#clock.now();
        this.#dead.set(key, {
          stream,
          of,
          since,
          wasLive: this.#live.delete(key) || dead?.wasLive === true,
          refused,
          reason,
        });
        break;
      }
      case 'restarted':
        if (dead !== undefined) this.#dead.set(key, { ...dead, reason: notice.reason });
        break;
      case 'closed':
        this.#dead.delete(key);
        this.#live.delete(key);
        break;
      case 'renewed':
      case 'replaced':
      case 'badLine':
      case 'unprojected':
      case 'overLimit':
      case 'unreadable':
        return;
    }
    this.#someLive.next(this.#live.size > 0);
  }
}

export function streamKey({ stream, of }: Readonly<{ stream: string; of?: string | undefined }>): string {
  return of === undefined ? stream : `${stream} ${of}`;
}
