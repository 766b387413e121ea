import type { Scaler } from '../../src/effects/ports.ts';

/** It stands before a scaler as the rate limit does. While it holds, writes wait in it, and withdrawn writes are never sent. */
export class HeldScaler implements Scaler {
  holding = false;
  /** How many writes were withdrawn before they were sent. */
  withdrawn = 0;
  readonly #inner: Scaler;
  readonly #waiting = new Set<() => void>();

  constructor(inner: Scaler) {
    this.#inner = inner;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Sends everything that waits, and holds no more. */
  release(): void {
    this.holding = false;
    for (const send of this.#waiting) send();
    this.#waiting.clear();
  }

  write: Scaler['write'] = (shoot, ref, seen, change, options) => {
    if (!this.holding) return this.#inner.write(shoot, ref, seen, change, options);
    return new Promise((resolve) => {
      const send = () => resolve(this.#inner.write(shoot, ref, seen, change, options));
      this.#waiting.add(send);
      options.withdrawn.addEventListener('abort', () => {
        if (!this.#waiting.delete(send)) return;
        this.withdrawn++;
        resolve({ outcome: 'withdrawn' });
      });
    });
  };

  read: Scaler['read'] = (shoot, ref, options) => this.#inner.read(shoot, ref, options);
}
