import type { CommandIo } from 'dependency-watchdog/commands/command.ts';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Observable } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

type Sleeper = Readonly<{ at: Instant; wake: () => void }>;

/**
 * Turns of the event loop without an event, after which nothing is on its way: the kernel hands over what one
 * socket of this process sends to another within the turn. About 0.15 ms.
 */
const quietTurns = 20;

/** If the kernel is late all the same, a waiter must not see a whole deadline pass by. */
const longestLeap: Millis = 250;

/**
 * While anything is going on, this clock runs at the pace of its own work. It leaps over the time in which nothing happens. It is for a world in one
 * process that speaks over the wire with itself. Work takes as long as it really takes, so that no delay grows as it would
 * on a clock that only runs faster. It takes the same time on a machine that does something else in between: the time that passes is the
 * CPU time of this thread. A minute of waiting takes some 50 ms.
 *
 * It leaps only while somebody waits in `passUntil`, to the next instant at which a sleeper wakes. `grain` makes the
 * leaps longer if many wake shortly after one another: they wake late by that much at most.
 */
export class HastyClock implements Clock {
  readonly #startedAt: Instant;
  readonly #startedWork = workDone();
  readonly #grain: Millis;
  /** In the order of their instants; equal ones in the order in which they came. */
  readonly #sleepers: Sleeper[] = [];
  #leapt: Millis = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(startAt: Instant, grain: Millis = 0) {
    this.#startedAt = startAt;
    this.#grain = grain;
  }

  now(): Instant {
    return this.#startedAt + workDone() - this.#startedWork + this.#leapt;
  }

  wakeAt(at: Instant): Observable<Instant> {
    return new Observable((observer) => {
      const sleeper = {
        at,
        wake: () => {
          observer.next(this.now());
          observer.complete();
        },
      };
      const place = this.#placeOf(at);
      this.#sleepers.splice(place, 0, sleeper);
      if (place === 0) this.#arm();
      return () => {
        const index = this.#sleepers.indexOf(sleeper);
        if (index >= 0) this.#sleepers.splice(index, 1);
        if (index === 0) this.#arm();
      };
    });
  }

  /** Looks in each turn of the event loop, and never leaps past the moment. False if it is not so by `deadline`. */
  async passUntil(isSo: () => boolean, deadline: Instant): Promise<boolean> {
    let quiet = 0;
    let events = 0;
    while (!isSo()) {
      if (this.now() >= deadline) return false;
      await turnOfTheLoop();
      const seen = performance.nodeTiming.uvMetricsInfo.events;
      quiet = seen === events ? quiet + 1 : 0;
      events = seen;
      if (quiet < quietTurns || isSo()) continue;
      this.#leap(deadline);
      quiet = 0;
    }
    return true;
  }

  /** Nobody wakes any more. */
  stop(): void {
    this.#sleepers.length = 0;
    this.#arm();
  }

  #leap(deadline: Instant): void {
    const now = this.now();
    const next = this.#sleepers[0]?.at ?? Infinity;
    this.#leapTo(Math.min(Math.max(next, now + this.#grain), now + longestLeap, deadline));
  }

  #leapTo(target: Instant): void {
    this.#leapt += Math.max(0, target - this.now());
    this.#wakeWhoIsDue();
  }

  #wakeWhoIsDue(): void {
    const now = this.now();
    // Only those that sleep already: a caller that asks for a past instant must not keep the event loop for ever.
    const due = this.#sleepers.splice(0, this.#placeOf(now));
    for (const { wake } of due) wake();
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#sleepers[0];
    if (next === undefined) return;
    const delay = Math.min(Math.max(0, Math.ceil(next.at - this.now())), 2 ** 31 - 1);
    // Outside of `passUntil` nobody works, and without this time would stand still.
    this.#timer = setTimeout(() => this.#leapTo(next.at), delay);
  }

  /** The place behind all sleepers that wake at `at` or before. */
  #placeOf(at: Instant): number {
    let low = 0;
    let high = this.#sleepers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sleepers[middle]?.at ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Milliseconds for which this thread has had a CPU. */
function workDone(): Millis {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** `begun` is called where nothing is printed, as in a terminal: time leaps from then on. */
type HastyScene = Readonly<{ io: CommandIo; clockAt: (speed: number) => Clock; begun: () => void }>;

/**
 * Runs a story of `simulate` on a clock that leaps over the time in which nothing happens, whatever speed the story asks for. So no
 * delay of this machine grows by it. Resolves to the exit code.
 */
export async function hastyStory(io: CommandIo, run: (scene: HastyScene) => Promise<number>): Promise<number> {
  const clock = new HastyClock(Date.now());
  const begun = Promise.withResolvers<void>();
  let isOver = false;
  const out: CommandIo['out'] = (...line) => {
    begun.resolve();
    io.out(...line);
  };
  const code = run({ io: { ...io, out }, clockAt: () => clock, begun: begun.resolve }).finally(() => {
    isOver = true;
    begun.resolve();
  });
  // Before the first line nobody sleeps, and the clock would leap for nothing.
  await begun.promise;
  await clock.passUntil(() => isOver, Infinity);
  clock.stop();
  return await code;
}
