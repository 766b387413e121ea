/**
 * Everything that happens inside a simulated process goes through its gate: timers that fire, answers that come. While the process is
 * paused it all waits, in order; after a crash nothing happens any more, and what hangs is garbage.
 */
export class ProcessGate {
  #state: 'open' | 'paused' | 'shut' = 'open';
  #held: (() => void)[] = [];

  get isShut(): boolean {
    return this.#state === 'shut';
  }

  get isPaused(): boolean {
    return this.#state === 'paused';
  }

  run(task: () => void): void {
    if (this.#state === 'open') task();
    else if (this.#state === 'paused') this.#held.push(task);
  }

  pause(): void {
    if (this.#state === 'open') this.#state = 'paused';
  }

  /** Everything that was held happens now, unless the process pauses or crashes in between. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'open';
    const held = this.#held;
    this.#held = [];
    for (const task of held) this.run(task);
  }

  shut(): void {
    this.#state = 'shut';
    this.#held = [];
  }
}
