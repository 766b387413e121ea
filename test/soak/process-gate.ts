/** `news`: an answer, an event of a watch, a signal. `timer`: one that fires. */
type Held = Readonly<{ is: 'news' | 'timer'; task: () => void }>;

/**
 * Everything that happens inside a simulated process goes through its gate: timers that fire, answers that come. While the process is
 * paused it all waits; after a crash nothing happens any more, and what hangs is garbage.
 *
 * What was held happens one after the other, with all that comes of it: first the news, in order, then the timers. So does Node: a process stands
 * still in the kernel's poll, and libuv looks at its timers after it. Whatever goes by a timer alone is late after a pause.
 */
export class ProcessGate {
  readonly #soon: (task: () => void) => void;
  #state: 'open' | 'paused' | 'catching up' | 'shut' = 'open';
  #held: Held[] = [];

  /** `soon` runs a task in the same instant, once all that has begun is over. */
  constructor(soon: (task: () => void) => void) {
    this.#soon = soon;
  }

  get isShut(): boolean {
    return this.#state === 'shut';
  }

  get isPaused(): boolean {
    return this.#state === 'paused';
  }

  run(task: () => void): void {
    this.#take({ is: 'news', task });
  }

  fire(timer: () => void): void {
    this.#take({ is: 'timer', task: timer });
  }

  pause(): void {
    if (this.#state !== 'shut') this.#state = 'paused';
  }

  /** Everything that was held happens in this instant, unless the process pauses or crashes in between. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'catching up';
    this.#catchUp();
  }

  shut(): void {
    this.#state = 'shut';
    this.#held = [];
  }

  #take(held: Held): void {
    if (this.#state === 'open') held.task();
    else if (this.#state !== 'shut') this.#held.push(held);
  }

  #catchUp(): void {
    if (this.#state !== 'catching up') return;
    const next = this.#next();
    if (next === undefined) {
      this.#state = 'open';
      return;
    }
    next();
    this.#soon(() => this.#catchUp());
  }

  #next(): (() => void) | undefined {
    const news = this.#held.findIndex(({ is }) => is === 'news');
    const [next] = this.#held.splice(Math.max(news, 0), 1);
    return next?.task;
  }
}
